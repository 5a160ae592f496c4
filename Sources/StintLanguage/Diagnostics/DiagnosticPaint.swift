/// Applies ANSI colours to parts of a diagnostic; returns plain text when colours are off.
struct DiagnosticPaint {
  let isOn: Bool

  func bold(_ text: String) -> String { isOn ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  func severity(_ text: String, _ severity: Diagnostic.Severity) -> String {
    guard isOn else { return text }
    let colour =
      switch severity {
      case .error: 31
      case .warning: 33
      case .note: 36
      }
    return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
  }
}
