public import StintModel
public import StintUnits

/// Reads site files; `Site` describes the format.
///
/// All problems of a file are reported at once, each with its line and column. A JSON syntax error is
/// reported alone. The caller supplies the known plugins and their settings, so that an unknown key is
/// reported with a suggestion. For a plugin that is not linked in, its descriptor defines the settings.
public enum SiteReader {
  static let keys = [
    "stint_site", "title", "time_zone", "plugins", "clients", "apps", "units", "declares", "facts",
  ]

  /// The plugins that a site file may name.
  private struct Known {
    var forms: [PluginForm]
    var described: (String) -> PluginForm?
    var requests: RequestKinds
  }

  /// Returns the site in `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text.
  ///   - source: the name of the file in errors.
  ///   - forms: the names and settings of the plugins that are linked in.
  ///   - kinds: the kinds of requests that clients may make.
  ///   - mayBeEmpty: true when a site without plugins is valid.
  ///   - described: returns the name and the settings of the plugin whose descriptor has this path. The path
  ///     is as in the site file. Nil when there is no readable descriptor.
  /// - Throws: `Problem` with all mistakes of the file.
  public static func site(
    of bytes: [UInt8], source: String, plugins forms: [PluginForm], requests kinds: RequestKinds,
    mayBeEmpty: Bool = false, described: @escaping (String) -> PluginForm? = { _ in nil }
  ) throws(Problem) -> Site {
    let known = Known(forms: forms, described: described, requests: kinds)
    let findings = JSONFindings(source: source)
    let value: JSONValue
    value = try JSONReader.value(of: bytes, source: source)
    let root = JSONField(value: value, path: "", findings: findings).document("stint_site", keys: keys)
    var site = root.map { read($0, known, mayBeEmpty: mayBeEmpty) }
    try findings.check()
    site?.journalText = journalText(units: value["units"], declares: value["declares"])
    guard let site else { preconditionFailure("reading failed without a problem") }
    return site
  }

  private static func read(_ root: JSONObject, _ known: Known, mayBeEmpty: Bool) -> Site {
    UnitReading.units(root)
    let entries = root.required("plugins")?.items() ?? []
    if !mayBeEmpty, let field = root.optional("plugins"), field.value.items?.isEmpty ?? false {
      field.report(
        .missing, "a site without a plugin has no device",
        remedy: "add one of \(known.forms.map(\.name).joined(separator: ", ")), or a plugin of your own with "
          + "“process”")
    }
    let clients = ScenarioReader.list(root, "clients") { ScenarioReader.client($0, known.requests) }
    let names = clients.map(\.name.name)
    if let items = root.optional("clients")?.items(), items.count == names.count {
      for (index, name) in names.enumerated() where names[..<index].contains(name) {
        items[index].report(
          .duplicate, "the client “\(name)” appears twice", remedy: "put its demands into one entry")
      }
    }
    return Site(
      title: root.optional("title")?.text() ?? "", timeZone: root.optional("time_zone")?.text(),
      plugins: entries.compactMap { plugin($0, known) }, clients: clients,
      apps: ScenarioReader.list(root, "apps") { app($0) },
      declares: ScenarioReader.list(root, "declares") { FactSchemaReading.fact($0, of: nil) },
      facts: root.optional("facts")?.anyObject()?.fields().compactMap {
        ScenarioReader.assignment($0, $1)
      } ?? [])
  }

  private static func app(_ field: JSONField) -> SiteApp? {
    guard let object = field.object(keys: ["name", "user", "permission", "background", "facts"]) else {
      return nil
    }
    let name = object.required("name")?.name()
    let user = object.optional("user")?.integer(in: 0...Int(UInt32.max))
    let permissions = object.optional("permission")?.permissions() ?? .always
    let facts = object.optional("facts")?.items()?.compactMap { $0.text() } ?? []
    return name.map {
      SiteApp(
        name: ClientID($0), user: user.map { UInt32($0) }, permissions: permissions,
        mayBackground: object.optional("background")?.flag() ?? true, facts: facts)
    }
  }

  private static func plugin(_ field: JSONField, _ known: Known) -> Site.Plugin? {
    guard let object = field.anyObject() else { return nil }
    if let path = object.optional("process") {
      return described(object, path, known, keys: ["process", "as", "sha256", "with", "allow", "contain"])
    }
    if let path = object.optional("library") {
      var plugin = described(object, path, known, keys: ["library", "as", "sha256", "with"])
      plugin?.isLibrary = true
      return plugin
    }
    object.refuseKeys(except: ["plugin", "process", "library", "as", "with"])
    guard let nameField = object.required("plugin"), let name = nameField.text() else { return nil }
    guard let form = known.forms.first(where: { $0.name == name }) else {
      nameField.report(
        .unknownName, "no plugin is named “\(Excerpt.text(name))”",
        remedy: Spelling.advice(for: name, among: known.forms.map(\.name)))
      return nil
    }
    var plugin = Site.Plugin(name: name)
    (plugin.settings, plugin.secrets) = settings(object, form)
    plugin.names = names(object)
    return plugin
  }

  private static func names(_ object: JSONObject) -> InstanceNames {
    object.optional("as").flatMap { InstanceNameReading.names($0) } ?? .own
  }

  /// Reads the entry of a plugin that is not linked in; the entry contains the path of its descriptor.
  private static func described(
    _ object: JSONObject, _ path: JSONField, _ known: Known, keys: [String]
  ) -> Site.Plugin? {
    object.refuseKeys(except: keys)
    let hash = object.optional("sha256").flatMap { Self.hash($0) }
    guard let text = path.text() else { return nil }
    guard let form = known.described(text) else {
      path.report(
        .notFound, "“\(Excerpt.text(text))” is not a plugin descriptor",
        remedy: "write the path of a plugin.json")
      return nil
    }
    var plugin = Site.Plugin(name: form.name)
    (plugin.settings, plugin.secrets) = settings(object, form)
    plugin.descriptor = text
    plugin.hash = hash
    plugin.names = names(object)
    plugin.allowed = object.optional("allow")?.items()?.compactMap { $0.text() } ?? []
    plugin.required =
      object.optional("contain")?.object(keys: ["require"])?.optional("require")?.items()?
      .compactMap { $0.enumCase(ContainmentMechanism.self) } ?? []
    return plugin
  }

  private static func settings(
    _ object: JSONObject, _ form: PluginForm
  ) -> ([String: PluginSettingValue], [String: SecretReference]) {
    var settings: [String: PluginSettingValue] = [:]
    var secrets: [String: SecretReference] = [:]
    let with = object.optional("with")?.object(keys: form.settings.map(\.key))
    for setting in form.settings {
      guard let field = with?.optional(setting.key) else { continue }
      if setting.kind == .text, field.value.members != nil {
        secrets[setting.key] = secret(field)
      } else {
        settings[setting.key] = value(field, setting.kind)
      }
    }
    return (settings, secrets)
  }

  /// Reads the place of a secret. Reports the problem and returns nil when the place is invalid. The name of
  /// a credential is a file name without a folder.
  private static func secret(_ field: JSONField) -> SecretReference? {
    guard let object = field.object(keys: ["credential", "environment"]) else { return nil }
    let (credential, variable) = (object.optional("credential"), object.optional("environment"))
    // An unknown key is reported already.
    guard object.members.allSatisfy({ ["credential", "environment"].contains($0.name) }) else { return nil }
    guard let place = credential ?? variable, credential == nil || variable == nil else {
      field.report(
        .value, "a secret has one place",
        remedy: "write {\"credential\": \"NAME\"} or {\"environment\": \"NAME\"}")
      return nil
    }
    guard let name = place.name() else { return nil }
    guard !name.contains("/"), !name.contains("="), name != ".", name != ".." else {
      place.report(
        .value, "“\(Excerpt.text(name))” is not a name", remedy: "write a name without “/” and “=”")
      return nil
    }
    return credential == nil ? .environment(name) : .credential(name)
  }

  /// Reads the 64 lower-case hexadecimal digits of a SHA-256. Reports any other value and returns nil.
  static func hash(_ field: JSONField) -> String? {
    guard let text = field.text() else { return nil }
    guard text.utf8.count == 64,
      text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x66 })
    else {
      field.report(
        .value, "a SHA-256 has 64 digits of 0 to 9 and a to f", remedy: "copy it from sha256sum FILE")
      return nil
    }
    return text
  }

  private static func value(_ field: JSONField, _ kind: PluginSettingForm.Kind) -> PluginSettingValue? {
    switch kind {
    case .text: field.text().map { .text($0) }
    case .whole(let range): field.integer(in: range).map { .whole($0) }
    case .span(let least): field.span(like: "60 s", atLeast: least).map { .span($0) }
    case .flag: field.flag().map { .flag($0) }
    }
  }

  /// Returns the JSON text of a scenario that declares the facts and units of the site. The scenario contains
  /// nothing else of the site.
  private static func journalText(units: JSONValue?, declares: JSONValue?) -> String {
    var members = [
      JSONMember("stint_scenario", 1), JSONMember("name", "site"),
      JSONMember("start", "1970-01-01T00:00:00Z"), JSONMember("duration", "1 s"),
      JSONMember("world", ["origin": [0, 0]]),
    ]
    if let units { members.append(JSONMember("units", units)) }
    members.append(JSONMember("declares", declares ?? []))
    return JSONWriter.text(of: JSONValue(members))
  }
}
