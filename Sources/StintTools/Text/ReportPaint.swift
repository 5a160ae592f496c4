/// Colours reports whose lines begin with a keyword, such as the reports of `why`, `status`, `disasm` and
/// plugin checks.
public struct ReportPaint: Hashable, Sendable {
  private let paint: Paint

  /// Creates a painter with these colours.
  public init(_ paint: Paint) { self.paint = paint }

  /// Returns the report with a bold first line, keywords of success and failure in colour, and other keywords
  /// dimmed.
  ///
  /// - Parameter text: the lines. A keyword ends at the first two spaces. In a line without two spaces, the
  ///   keyword ends at the first colon.
  public func text(_ text: String) -> String {
    guard paint.isOn else { return text }
    var isFirst = true
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      defer { isFirst = false }
      return isFirst ? paint.strong(String(line)) : self.line(line)
    }.joined(separator: "\n")
  }

  private func line(_ line: Substring) -> String {
    let indent = line.prefix { $0 == " " }
    let rest = line.dropFirst(indent.count)
    let end = rest.firstRange(of: "  ")?.lowerBound ?? rest.firstIndex(of: ":") ?? rest.endIndex
    // Continuation lines, which are indented by at least eight spaces, have no keyword.
    guard !rest.isEmpty, indent.count < 8, end < rest.endIndex else { return String(line) }
    return indent + coloured(String(rest[..<end])) + rest[end...]
  }

  private func coloured(_ word: String) -> String {
    switch word {
    case "kept", "refused", "held by": paint.good(word)
    case "broken", "got through", "changed", "unfinished", "missing": paint.bad(word)
    default: paint.quiet(word)
    }
  }
}
