import StintFormats

/// How a check is printed.
public enum CheckFormat: String, Hashable, Sendable, CaseIterable {
  /// For people.
  case text
  /// One JSON object of this project's own form.
  case json
  /// SARIF 2.1.0, which code review tools read.
  case sarif
}

extension PolicyCheck {
  /// The check in one of its forms.
  public func text(in format: CheckFormat, _ paint: Paint = .plain, wrap: TextWrap? = nil) -> String {
    switch format {
    case .text: text(paint, wrap: wrap)
    case .json: jsonText
    case .sarif: JSONWriter.text(of: sarif, .pretty)
    }
  }
}

extension PolicyFixing {
  /// What was changed and what is left, in one of its forms; SARIF tells of what is left only.
  public func text(in format: CheckFormat, _ paint: Paint = .plain, wrap: TextWrap? = nil) -> String {
    switch format {
    case .text: text(paint, wrap: wrap)
    case .json: ReportKind.check.text(of: json)
    case .sarif: after.text(in: .sarif)
    }
  }
}
