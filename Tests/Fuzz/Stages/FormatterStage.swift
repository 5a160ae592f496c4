import StintAuthoring
import StintLanguage
import StintTestSupport
import StintUnits

/// Uses arbitrary bytes as a policy to format. The policy must be formatted, or rejected with a reason.
/// Formatting must be idempotent and keep the tree and the comments.
enum FormatterStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let source = SourceText(file: "fuzz", bytes: bytes)
    let once: SourceText
    switch Formatter.format(source) {
    case .success(let text): once = SourceText(file: "fuzz", text: text)
    case .failure(let refusal):
      return try FuzzFinding.unless(!refusal.diagnostics.isEmpty, "rejected without a diagnostic")
    }
    guard case .success(let twice) = Formatter.format(once) else {
      throw FuzzFinding("formatted text cannot be formatted again: \(once.text)")
    }
    try FuzzFinding.unless(twice == once.text, "formatted once:\n\(once.text)\nformatted twice:\n\(twice)")
    let (before, after) = (
      Parser.parse(source, units: .standard).file, Parser.parse(once, units: .standard).file
    )
    try FuzzFinding.unless(before.tree == after.tree, "the tree differs: \(before.tree)\n\(after.tree)")
    // White space at the end of a comment belongs to the layout.
    let comments = [(before, source), (after, once)].map { file, source in
      file.comments.map { source.text(of: $0.span).trimmed }
    }
    try FuzzFinding.unless(comments[0] == comments[1], "the comments differ: \(comments)")
  }
}

extension String {
  /// The text without white space at its end.
  fileprivate var trimmed: Substring {
    var rest = self[...]
    while let last = rest.unicodeScalars.last, [" ", "\t", "\r"].contains(last) {
      rest.unicodeScalars.removeLast()
    }
    return rest
  }
}
