public import StintFormats
public import StintLanguage
import StintRuntime
public import StintUnits

/// A policy file and its canonical layout.
public struct PolicyFormatting: Hashable, Sendable {
  /// How the file stands to its canonical layout.
  public enum State: String, Hashable, Sendable {
    case canonical
    /// Its layout is another.
    case different
    /// It cannot be read; it stays as it is.
    case broken
  }

  public var source: SourceText
  /// Nil when the file cannot be read.
  public var text: String?
  /// What keeps it from being read; empty otherwise.
  public var diagnostics: [Diagnostic]

  /// Lays a file out; nothing is written.
  public init(_ source: SourceText) {
    self.source = source
    switch Formatter.format(source) {
    case .success(let text):
      self.text = text
      diagnostics = []
    case .failure(let refusal):
      text = nil
      diagnostics = refusal.diagnostics.filter { $0.severity == .error }
    }
  }

  public var state: State {
    guard let text else { return .broken }
    return !source.hadByteOrderMark && text.utf8.elementsEqual(source.bytes) ? .canonical : .different
  }

  /// Writes the canonical layout in place of the file, at once or not at all; a canonical file is left alone.
  public func write() throws(Problem) {
    guard state == .different, let text else { return }
    try FileText.write(Array(text.utf8), to: source.file)
  }

  /// What is wrong with a broken file, for people; nil otherwise.
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

  /// All files as `stint fmt --json` prints them, as one line of text.
  public static func jsonText(_ files: [PolicyFormatting]) -> String {
    ReportKind.format.text(of: ["files": JSONValue(files.map(\.json))])
  }
}
