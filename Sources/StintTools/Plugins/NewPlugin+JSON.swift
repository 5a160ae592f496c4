import StintDaemon
import StintFormats

extension NewPlugin {
  /// One JSON object: name, language, kind, folder and files.
  public var jsonText: String {
    ReportKind.pluginNew.text(of: [
      "name": JSONValue(name), "language": JSONValue(language.rawValue), "kind": JSONValue(kind.rawValue),
      "folder": JSONValue(folder),
      "files": JSONValue(files.map { JSONValue($0) }),
    ])
  }
}
