import StintLanguage

/// Any bytes are laid out or refused with a reason: once is as good as twice, the tree and the comments stay.
enum FormatterStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let source = SourceText(file: "fuzz", bytes: bytes)
    let once: SourceText
    switch Formatter.format(source) {
    case .success(let text): once = SourceText(file: "fuzz", text: text)
    case .failure(let refusal):
      return try FuzzFinding.unless(!refusal.diagnostics.isEmpty, "refused without a reason")
    }
    guard case .success(let twice) = Formatter.format(once) else {
      throw FuzzFinding("what was laid out cannot be laid out: \(once.text)")
    }
    try FuzzFinding.unless(twice == once.text, "laid out once:\n\(once.text)\nlaid out twice:\n\(twice)")
    let (before, after) = (Parser.parse(source).file, Parser.parse(once).file)
    try FuzzFinding.unless(before.tree == after.tree, "another tree: \(before.tree)\n\(after.tree)")
    // White space at the end of a comment is layout.
    let comments = [(before, source), (after, once)].map { file, source in
      file.comments.map { source.text(of: $0.span).trimmed }
    }
    try FuzzFinding.unless(comments[0] == comments[1], "other comments: \(comments)")
  }
}

extension String {
  /// Without white space at the end.
  fileprivate var trimmed: Substring {
    var rest = self[...]
    while let last = rest.unicodeScalars.last, [" ", "\t", "\r"].contains(last) {
      rest.unicodeScalars.removeLast()
    }
    return rest
  }
}
