import StintRuntime
public import StintUnits

/// A plugin that `stint plugin new` writes.
public struct NewPlugin: Hashable, Sendable {
  public let name: String
  public let language: PluginLanguage
  /// The folder that holds it.
  public let folder: String
  /// The files that were written, by their paths within the folder.
  public let files: [String]

  /// Writes it; nothing must be there yet.
  ///
  /// - Parameters:
  ///   - folder: nil for one of the plugin's name, here.
  ///   - stint: where the package of Stint lies, for a plugin in Swift.
  public init(
    name: String, language: PluginLanguage, folder: String? = nil, stint: String? = nil
  ) throws(Problem) {
    try Self.check(name, language)
    let folder = folder ?? name
    if Folder.entry(at: folder) != .nothing {
      throw Problem(
        .content, place: folder, cause: "there is something already, and nothing is overwritten",
        remedy: "name another folder with --into, or remove it")
    }
    let package = language == .swift ? try Self.package(stint) : ""
    let template = PluginTemplate(name: name, language: language, stint: package)
    self.name = name
    self.language = language
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
        .content, place: "“\(name)”",
        cause: "a plugin's name is lower-case letters, digits and _, 40 at most",
        remedy: "call it as in soil_probe")
    }
    guard !language.reserved.contains(name) else {
      throw Problem(
        .content, place: "“\(name)”", cause: "the name is taken in \(language.rawValue)",
        remedy: "call it as in \(name)_probe")
    }
  }

  /// The package of Stint: the one named, or the one that this program was built in.
  private static func package(_ named: String?) throws(Problem) -> String {
    if let named {
      guard Folder.entry(at: FilePath.join(named, "Sources/StintPluginKit")) == .folder else {
        throw Problem(
          .file, place: named, cause: "the package of Stint is not there",
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
      cause: "a plugin in Swift is built with the package of Stint, which is not near",
      remedy: "name its folder with --stint")
  }

  /// What was written, and what comes next.
  public var text: String {
    let build =
      switch language {
      case .swift: ["swift test", "swift build -c release --product \(name)", "stint plugin seal ."]
      case .c: ["make", "make test", "stint plugin seal ."]
      case .python: ["python3 -m unittest"]
      }
    let steps =
      ["cd \(folder)"] + build + [
        "stint plugin check .", "stint run --site site.json --policies watch.stint",
      ]
    return
      (["\(folder): a plugin in \(language.rawValue), \(files.count) files. Next:"] + steps.map { "  \($0)" })
      .joined(separator: "\n")
  }
}
