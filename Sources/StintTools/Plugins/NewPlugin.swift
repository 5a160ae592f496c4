import StintRuntime
public import StintUnits

/// A new plugin that `stint plugin new` writes to disk.
public struct NewPlugin: Hashable, Sendable {
  /// The plugin's name: at most 40 lower-case letters, digits and underscores, beginning with a letter.
  public let name: String
  /// The programming language of the generated files.
  public let language: PluginLanguage
  /// The folder of the plugin.
  public let folder: String
  /// The kind of the plugin's device.
  public let kind: PluginTemplateKind
  /// Paths of the written files, relative to the folder.
  public let files: [String]

  /// Writes the files of a plugin into a folder that must not exist yet.
  ///
  /// - Parameters:
  ///   - folder: nil for a folder with the plugin's name in the current folder.
  ///   - stint: the folder of the Stint package, for a plugin in Swift; nil to search for it.
  /// - Throws: `Problem` when the name is invalid or reserved, when the folder exists, when the Stint package
  ///   is not found, or when a file cannot be written.
  public init(
    name: String, language: PluginLanguage, kind: PluginTemplateKind = .sensor, folder: String? = nil,
    stint: String? = nil
  ) throws(Problem) {
    try Self.check(name, language)
    let folder = folder ?? name
    if Folder.entry(at: folder) != .nothing {
      throw Problem(
        .exists, place: folder, cause: "the path exists already; nothing is overwritten",
        remedy: "name another folder with --into, or remove this path")
    }
    let package = language == .swift ? try Self.package(stint) : ""
    let template = PluginTemplate(name: name, language: language, kind: kind, stint: package)
    self.name = name
    self.language = language
    self.kind = kind
    self.folder = folder
    files = template.files.map(\.path)
    for file in template.files {
      let path = FilePath.join(folder, file.path)
      try Folder.make(FilePath.parent(of: path))
      try FileText.write(Array(file.text.utf8), to: path)
      if file.isProgram { try Folder.makeRunnable(path) }
    }
  }

  private static func check(_ name: String, _ language: PluginLanguage) throws(Problem) {
    let isWord = name.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x5F }
    guard isWord, let first = name.utf8.first, first >= 0x61, name.utf8.count <= 40 else {
      throw Problem(
        .refused, place: "“\(name)”",
        cause: "a plugin's name begins with a letter and has at most 40 lower-case letters, digits and _",
        remedy: "use a name such as soil_probe")
    }
    guard !language.reserved.contains(name) else {
      throw Problem(
        .refused, place: "“\(name)”", cause: "the name is reserved in \(language.rawValue)",
        remedy: "use a name such as \(name)_probe")
    }
  }

  /// Returns the folder of the Stint package. Without `named`, this is the nearest folder above this program
  /// that contains the package.
  private static func package(_ named: String?) throws(Problem) -> String {
    if let named {
      guard Folder.entry(at: FilePath.join(named, "Sources/StintPluginKit")) == .folder else {
        throw Problem(
          .file, place: named, cause: "this is not the folder of the Stint package",
          remedy: "name the folder with the Package.swift of Stint")
      }
      return Folder.absolute(named) ?? named
    }
    var folder = Folder.absolute("/proc/self/exe").map { FilePath.parent(of: $0) } ?? "/"
    while folder != "/" {
      if Folder.entry(at: FilePath.join(folder, "Sources/StintPluginKit")) == .folder { return folder }
      folder = FilePath.parent(of: folder)
    }
    throw Problem(
      .file, place: "--stint",
      cause: "a plugin in Swift needs the Stint package, which was not found",
      remedy: "name its folder with --stint")
  }

  /// A summary of the written files and the next commands to run.
  public var text: String {
    let build =
      switch language {
      case .swift: ["swift test", "swift build -c release --product \(name)", "stint plugin seal ."]
      case .c: ["make", "make test", "stint plugin seal ."]
      case .python: ["python3 -m unittest"]
      }
    let spool = kind == .radio ? ["mkdir -p /var/tmp/\(name)"] : []
    let steps =
      ["cd \(folder)"] + spool + build + [
        "stint plugin check .", "stint run --site site.json --policies watch.stint",
      ]
    return
      (["\(folder): a \(kind.rawValue) in \(language.rawValue), \(files.count) files. Next:"]
      + steps.map { "  \($0)" })
      .joined(separator: "\n")
  }
}
