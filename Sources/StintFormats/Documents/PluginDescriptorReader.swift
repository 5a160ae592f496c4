public import StintModel
public import StintUnits

/// Reads the descriptors of plugins that are not linked in; `PluginDescriptor` describes the format.
public enum PluginDescriptorReader {
  private static let keys = [
    "stint_plugin", "name", "meaning", "program", "manifest", "manifests", "files", "settings", "needs",
    "network",
    "processes",
  ]

  /// The keys of the former seal format, which contained the hashes of only two files.
  private static let oldKeys = ["program_sha256", "manifest_sha256"]

  /// The kinds of a setting, as descriptors spell them.
  private enum Kind: String, CaseIterable {
    case text, whole, span, flag
  }

  /// Returns the descriptor in `bytes`; `source` is the name of the file in errors.
  ///
  /// - Throws: `Problem` with all mistakes of the file.
  public static func descriptor(of bytes: [UInt8], source: String) throws(Problem) -> PluginDescriptor {
    let findings = JSONFindings(source: source)
    let value: JSONValue
    value = try JSONReader.value(of: bytes, source: source)
    let root = JSONField(value: value, path: "", findings: findings).document(
      "stint_plugin", keys: keys + oldKeys)
    let descriptor = root.map { read($0) }
    try findings.check()
    guard let descriptor else { preconditionFailure("reading failed without a problem") }
    return descriptor
  }

  private static func read(_ root: JSONObject) -> PluginDescriptor {
    let program = path(root.required("program"))
    let manifests = manifests(root)
    return PluginDescriptor(
      form: PluginForm(
        name: root.required("name")?.text() ?? "", meaning: root.required("meaning")?.text() ?? "",
        settings: settings(root)),
      program: program, manifests: manifests, files: files(root, program: program, manifests: manifests),
      needs: ScenarioReader.list(root, "needs") { need($0) },
      needsNetwork: root.optional("network")?.flag() ?? false,
      needsProcesses: root.optional("processes")?.flag() ?? false)
  }

  /// The maximum number of manifests of one plugin.
  private static let maxManifests = 16

  /// Reads `manifest`, or `manifests` for a process with several devices.
  private static func manifests(_ root: JSONObject) -> [String] {
    guard let list = root.optional("manifests") else { return [path(root.required("manifest"))] }
    root.optional("manifest")?.report(
      .duplicate, "“manifest” and “manifests” exclude each other", remedy: "write “manifests” only")
    guard let items = list.items() else { return [] }
    let paths = items.map { path($0) }
    if !(1...maxManifests).contains(paths.count) {
      list.report(
        .value, "a plugin has at least one manifest and at most \(maxManifests), not \(paths.count)",
        remedy: "write one file for each device")
    }
    for (index, name) in paths.enumerated() where !name.isEmpty && paths[..<index].contains(name) {
      items[index].report(.duplicate, "“\(Excerpt.text(name))” appears twice", remedy: "remove one")
    }
    return paths
  }

  private static func files(
    _ root: JSONObject, program: String, manifests: [String]
  ) -> [PluginDescriptor.HashedFile] {
    if let old = oldKeys.lazy.compactMap({ root.optional($0) }).first {
      old.report(
        .value, "this seal has an old format, which covers only two files of the plugin",
        remedy: "seal the plugin with stint plugin seal DIR")
      return []
    }
    guard let field = root.required("files") else { return [] }
    let names = field.anyObject()?.fields().compactMap { sealed($0, $1, program: program) } ?? []
    for needed in [program] + manifests where !needed.isEmpty && !names.contains(where: { $0.path == needed })
    {
      field.report(
        .missing, "“\(Excerpt.text(needed))” is not among the files",
        remedy: "seal the plugin with stint plugin seal DIR")
    }
    return names.sorted { $0.path < $1.path }
  }

  private static func sealed(
    _ name: String, _ field: JSONField, program: String
  ) -> PluginDescriptor.HashedFile? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isWithin = !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
    guard !hasControlCharacters(name),
      isWithin || name == program && name.hasPrefix("/") && !parts.contains("..")
    else {
      field.report(
        .value, "“\(Excerpt.text(name))” is not a file in the plugin's folder",
        remedy: "write its path within the folder")
      return nil
    }
    return SiteReader.hash(field).map { PluginDescriptor.HashedFile(path: name, hash: $0) }
  }

  private static func settings(_ root: JSONObject) -> [PluginSettingForm] {
    let settings = ScenarioReader.list(root, "settings") { setting($0) }
    for (index, setting) in settings.enumerated()
    where settings[..<index].contains(where: { $0.key == setting.key }) {
      root.optional("settings")?.report(
        .duplicate, "the setting “\(Excerpt.text(setting.key))” appears twice", remedy: "remove one")
    }
    return settings
  }

  private static func setting(_ field: JSONField) -> PluginSettingForm? {
    guard let object = field.object(keys: ["key", "kind", "range", "at_least", "meaning"]),
      let key = object.required("key")?.text(), let kind = object.required("kind")?.enumCase(Kind.self)
    else { return nil }
    for (name, wanted) in [("range", Kind.whole), ("at_least", .span)] where kind != wanted {
      object.optional(name)?.report(
        .value, "a setting of kind \(kind.rawValue) cannot have “\(name)”", remedy: "remove it")
    }
    let meaning = object.optional("meaning")?.text() ?? ""
    switch kind {
    case .text: return PluginSettingForm(key, .text, meaning)
    case .flag: return PluginSettingForm(key, .flag, meaning)
    case .span:
      let least = object.optional("at_least")?.span(like: "1 s") ?? .zero
      return PluginSettingForm(key, .span(atLeast: least), meaning)
    case .whole:
      guard let ends = object.required("range")?.items()?.compactMap({ $0.integer(in: Int.min...Int.max) })
      else { return nil }
      guard ends.count == 2, ends[0] <= ends[1] else {
        object.report(.value, "expected two bounds, the smaller one first", remedy: "write it as [0, 100]")
        return nil
      }
      return PluginSettingForm(key, .whole(ends[0]...ends[1]), meaning)
    }
  }

  private static func need(_ field: JSONField) -> PluginDescriptor.Need? {
    guard let object = field.object(keys: ["path", "access"]), let path = object.required("path"),
      let text = path.text(),
      let access = object.required("access")?.enumCase(PluginDescriptor.Need.Access.self)
    else { return nil }
    guard text.hasPrefix("/") else {
      path.report(.value, "“\(Excerpt.text(text))” is not an absolute path", remedy: "begin it with /")
      return nil
    }
    guard !hasControlCharacters(text), !text.split(separator: "/").contains("..") else {
      path.report(
        .value, "“\(Excerpt.text(text))” contains “..” or a control character", remedy: "remove it")
      return nil
    }
    return PluginDescriptor.Need(path: text, access: access)
  }

  private static func path(_ field: JSONField?) -> String {
    guard let field, let text = field.text() else { return "" }
    if text.isEmpty { field.report(.empty, "the file name is empty", remedy: "write a file name") }
    if hasControlCharacters(text) {
      field.report(
        .value, "“\(Excerpt.text(text))” is not a valid file name", remedy: "remove the control characters")
    }
    return text
  }

  /// Returns whether a path contains control characters. People cannot see these characters, and the system
  /// cuts a path at its first zero byte.
  private static func hasControlCharacters(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }
}
