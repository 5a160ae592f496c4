import StintDaemon
import StintFormats
import StintJournal
import StintModel
import StintRuntime
public import StintUnits

/// The updated seal of a plugin's descriptor: the files that the plugin can read, each with its SHA-256.
public struct PluginSeal: Hashable, Sendable {
  /// A file with its hash in the descriptor.
  public struct Bound: Hashable, Sendable {
    /// The path as the descriptor contains it: relative to its folder, or absolute.
    public let path: String
    /// The SHA-256 of the file, in hexadecimal.
    public let hash: String
    /// True when the descriptor had a different hash or no hash for the file.
    public let isNew: Bool
  }

  /// An entry of the plugin's folder that the seal does not contain.
  public struct LeftOut: Hashable, Sendable {
    /// The path relative to the folder.
    public let path: String
    /// The reason, a clause such as “it is not part of a program”.
    public let reason: String
  }

  /// The descriptor's path.
  public let path: String
  /// All files of the seal, sorted by path.
  public let files: [Bound]
  /// Files that the descriptor contained before and that no longer exist.
  public let gone: [String]
  /// The visible files and folders that the seal does not contain, sorted by path.
  public let skipped: [LeftOut]

  /// Seals a plugin. Changes only the file hashes of the descriptor.
  ///
  /// The seal does not follow links that lead out of the folder; the descriptor must name a file outside of
  /// the folder by its absolute path.
  ///
  /// - Parameter place: the folder of the plugin, or the path of its descriptor.
  /// - Throws: `Problem` when the descriptor or the manifest is invalid, when a file of the descriptor is
  ///   a link out of the folder, or when a file cannot be read or written. The descriptor is then
  ///   unchanged.
  public init(_ place: String) throws(Problem) {
    path = Folder.entry(at: place) == .folder ? FilePath.join(place, "plugin.json") : place
    let folder = FilePath.parent(of: path)
    let content = try SealedFolder(folder)
    guard Folder.entry(at: path) != .file || content.contains(path) else {
      throw Problem(
        .content, place: path, cause: "this is a link that leads out of the plugin's folder",
        remedy: "seal the folder that contains the descriptor itself")
    }
    let bytes = try Self.bytes(path)
    let old = try Self.members(bytes, path)
    let before = Self.files(old)
    var names = Set(content.names)
    for key in ["program", "manifest", "manifests"] {
      guard let value = old.first(where: { $0.name == key })?.value else { continue }
      names.formUnion((value.items ?? [value]).compactMap(\.string))
    }
    // Files that the author added to the descriptor remain as long as they exist.
    func whole(_ name: String) -> String { name.hasPrefix("/") ? name : FilePath.join(folder, name) }
    names.formUnion(before.keys.filter { Folder.entry(at: whole($0)) == .file })
    var files: [Bound] = []
    for name in names.sorted() {
      guard name.hasPrefix("/") || Folder.entry(at: whole(name)) != .file || content.contains(whole(name))
      else {
        throw Problem(
          .content, place: whole(name), cause: "this is a link that leads out of the plugin's folder",
          remedy: "copy the file into the folder, or write its absolute path")
      }
      let hash = SHA256.hexadecimal(of: try Self.bytes(whole(name)))
      files.append(Bound(path: name, hash: hash, isNew: before[name] != hash))
    }
    self.files = files
    skipped = content.skipped.filter { !names.contains($0.path) && $0.path != "plugin.json" }
    gone = before.keys.filter { !names.contains($0) }.sorted()
    let text = Self.text(old, files)
    // Check the descriptor even when no hash has changed, to report its other problems.
    let descriptor = try PluginDescriptorReader.descriptor(of: Array(text.utf8), source: path)
    var manifests: [Manifest] = []
    for file in descriptor.manifests.map(whole) {
      manifests.append(try ChildPrograms.manifest(of: Self.bytes(file), source: file))
    }
    try ChildPrograms.check(manifests, of: path)
    let isOld = old.contains { Self.oldKeys.contains($0.name) }
    guard isOld || files.contains(where: \.isNew) || !gone.isEmpty else { return }
    try FileText.write(Array(text.utf8), to: path)
  }

  private static func bytes(_ path: String) throws(Problem) -> [UInt8] {
    try FileText.read(path, limit: 512 << 20)
  }

  private static func members(_ bytes: [UInt8], _ path: String) throws(Problem) -> [JSONMember] {
    let value: JSONValue
    value = try JSONReader.value(of: bytes, source: path)
    guard let members = value.members else {
      throw Problem(
        .content, place: path, cause: "this is not a plugin descriptor",
        remedy: "create one with stint plugin new")
    }
    return members
  }

  /// Returns the hashes of the current seal; empty for a descriptor in the old form.
  private static func files(_ members: [JSONMember]) -> [String: String] {
    let files = members.first { $0.name == "files" }?.value.members ?? []
    return Dictionary(files.map { ($0.name, $0.value.string ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  /// Keys of the old form, which sealed only two files.
  private static let oldKeys: Set<String> = ["program_sha256", "manifest_sha256"]

  /// Returns the descriptor with new file hashes in place of the old hashes. The member `files` follows the
  /// member `manifest` or `manifests`.
  private static func text(_ old: [JSONMember], _ files: [Bound]) -> String {
    let seal = JSONMember("files", JSONValue(files.map { JSONMember($0.path, JSONValue($0.hash)) }))
    var members = old.filter { $0.name != "files" && !oldKeys.contains($0.name) }
    let place =
      members.lastIndex { ["manifest", "manifests"].contains($0.name) }.map { $0 + 1 } ?? members.count
    members.insert(seal, at: place)
    return JSONWriter.text(of: JSONValue(members), .pretty) + "\n"
  }

  /// A line for each file of the folder and of the former seal.
  public var text: String {
    let lines = files.map {
      "\(VisibleText.line($0.path)): \($0.isNew ? "sealed" : "unchanged"), SHA-256 \($0.hash)"
    }
    let others = skipped.map { "\(VisibleText.line($0.path)): not sealed; \($0.reason)" }
    return (lines + gone.map { "\(VisibleText.line($0)): missing, removed from the seal" } + others).joined(
      separator: "\n")
  }
}
