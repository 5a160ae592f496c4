import StintLanguage

/// Checks the diagnostics of a text.
enum Spans {
  /// Throws a finding when a diagnostic has no label or an invalid span. A span is invalid when it is outside
  /// the text or splits a character. Also renders the diagnostics, which must not trap.
  static func require(_ diagnostics: [Diagnostic], within source: SourceText) throws(FuzzFinding) {
    for diagnostic in diagnostics {
      try FuzzFinding.unless(!diagnostic.labels.isEmpty, "“\(diagnostic.title)” has no label")
      let spans = diagnostic.labels.map(\.span) + (diagnostic.fix.map { [$0.span] } ?? [])
      for span in spans {
        try FuzzFinding.unless(
          0 <= span.start && span.start <= span.end && span.end <= source.bytes.count,
          "“\(diagnostic.title)” is at \(span) of a text of \(source.bytes.count) bytes")
        try FuzzFinding.unless(
          isBoundary(span.start, source.bytes) && isBoundary(span.end, source.bytes),
          "“\(diagnostic.title)” at \(span) cuts a character")
      }
    }
    _ = DiagnosticRenderer.text(diagnostics, sources: [source])
  }

  private static func isBoundary(_ offset: Int, _ bytes: [UInt8]) -> Bool {
    offset >= bytes.count || bytes[offset] & 0xC0 != 0x80
  }
}
