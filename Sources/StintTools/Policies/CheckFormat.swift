import StintDaemon
import StintFormats

/// The output format of a check.
public enum CheckFormat: String, Hashable, Sendable, CaseIterable {
  /// Text for people.
  case text
  /// One JSON object in Stint's own format.
  case json
  /// SARIF 2.1.0 for code review tools.
  case sarif
}

extension PolicyCheck {
  /// Returns the check in the given format. `paint` and `wrap` apply to text only.
  public func text(in format: CheckFormat, _ paint: Paint = .plain, wrap: TextWrap? = nil) -> String {
    switch format {
    case .text: text(paint, wrap: wrap)
    case .json: jsonText
    case .sarif: JSONWriter.text(of: sarif, .pretty)
    }
  }
}

extension PolicyFixing {
  /// Returns the changes and the remaining diagnostics in the given format. SARIF contains only the remaining
  /// diagnostics.
  public func text(in format: CheckFormat, _ paint: Paint = .plain, wrap: TextWrap? = nil) -> String {
    switch format {
    case .text: text(paint, wrap: wrap)
    case .json: ReportKind.check.text(of: json)
    case .sarif: after.text(in: .sarif)
    }
  }
}
