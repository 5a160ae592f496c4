import StintFormats

extension NewPlugin {
  /// One object: name, language, folder, files.
  public var jsonText: String {
    ReportKind.pluginNew.text(of: [
      "name": JSONValue(name), "language": JSONValue(language.rawValue), "folder": JSONValue(folder),
      "files": JSONValue(files.map { JSONValue($0) }),
    ])
  }
}
