import StintDaemon
import StintFormats

extension PluginSeal {
  /// The seal as one JSON object. The members are the descriptor, the files of its seal, the files that no
  /// longer exist, and the entries that the seal excludes.
  public var jsonText: String {
    ReportKind.pluginSeal.text(of: [
      "descriptor": JSONValue(path),
      "files": JSONValue(
        files.map { bound -> JSONValue in
          ["path": JSONValue(bound.path), "sha256": JSONValue(bound.hash), "is_new": JSONValue(bound.isNew)]
        }),
      "gone": JSONValue(gone.map { JSONValue($0) }),
      "left_out": JSONValue(
        skipped.map { ["path": JSONValue($0.path), "reason": JSONValue($0.reason)] }),
    ])
  }
}
