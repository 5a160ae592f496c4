import StintAuthoring
import StintDaemon
public import StintFormats
public import StintLanguage
import StintRuntime
public import StintUnits

/// A policy file and its canonical layout.
public struct PolicyFormatting: Hashable, Sendable {
  /// The relation of a file to its canonical layout.
  public enum State: String, Hashable, Sendable {
    case canonical
    /// The layout differs from the canonical layout, or the file begins with a byte-order mark.
    case different
    /// The file has syntax errors and is not changed.
    case broken
  }

  /// The file as it was read.
  public var source: SourceText
  /// The canonical layout; nil when the file cannot be parsed.
  public var text: String?
  /// The errors of a file that cannot be parsed; empty for a valid file.
  public var diagnostics: [Diagnostic]

  /// Formats a file in memory; `write()` writes it.
  public init(_ source: SourceText, units: UnitTable = .standard) {
    self.source = source
    switch Formatter.format(source, units: units) {
    case .success(let text):
      self.text = text
      diagnostics = []
    case .failure(let refusal):
      text = nil
      diagnostics = refusal.diagnostics.filter { $0.severity == .error }
    }
  }

  /// Whether the file is canonical, different or broken.
  public var state: State {
    guard let text else { return .broken }
    return !source.hadByteOrderMark && text.utf8.elementsEqual(source.bytes) ? .canonical : .different
  }

  /// Replaces the file atomically by its canonical layout. A canonical or broken file is not changed.
  ///
  /// - Throws: `Problem` when the file cannot be written.
  public func write() throws(Problem) {
    guard state == .different, let text else { return }
    try FileText.write(Array(text.utf8), to: source.file)
  }

  /// Returns the errors of a broken file as text for people; nil for a valid file.
  public func complaint(_ paint: Paint = .plain) -> String? {
    guard state == .broken else { return nil }
    var text = DiagnosticRenderer.text(diagnostics, sources: [source], colour: paint.isOn)
    while text.last == "\n" { text.removeLast() }
    return text
  }

  /// `{"file": "a.stint", "state": "canonical"}`.
  public var json: JSONValue {
    ["file": JSONValue(source.file), "state": JSONValue(state.rawValue)]
  }

  /// Returns all files as `stint fmt --json` prints them, as one line of JSON.
  public static func jsonText(_ files: [PolicyFormatting]) -> String {
    ReportKind.format.text(of: ["files": JSONValue(files.map(\.json))])
  }
}
