import StintAuthoring
import StintLanguage
import StintTestSupport
import StintUnits

/// Uses arbitrary bytes as a policy. The text must become a tree of consecutive items. When there is no
/// diagnostic, each token except comments must belong to the header or to an item.
enum ParserStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let source = SourceText(file: "fuzz", bytes: bytes)
    let (file, diagnostics) = Parser.parse(source, units: .standard)
    let tokens = PolicyToken.all(of: source)
    try FuzzFinding.unless(
      file.comments.map(\.span) == tokens.filter { $0.kind == .comment }.map(\.span),
      "the comments of the tree are not those of the text")
    _ = file.tree.description
    try Spans.require(diagnostics, within: source)
    var end = 0
    for item in file.items {
      try FuzzFinding.unless(
        end <= item.span.start && item.span.start < item.span.end && item.span.end <= source.bytes.count,
        "an item at \(item.span) overlaps the item that ends at \(end)")
      end = item.span.end
    }
    guard diagnostics.isEmpty else { return }
    let header = file.version?.span.end ?? file.name?.span.end ?? 0
    let spans = [SourceSpan(start: 0, end: header)] + file.items.map(\.span)
    for token in tokens where token.kind != .comment {
      try FuzzFinding.unless(
        spans.contains { $0.start <= token.span.start && token.span.end <= $0.end },
        "\(token) is neither in the tree nor in a diagnostic")
    }
  }
}
