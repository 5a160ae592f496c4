extension Parser {
  /// Parses a block in braces. Each element begins with one of `words`, which is the current token when
  /// `element` is called.
  ///
  /// After a syntax error, the parser skips to the next of the words or to the closing brace.
  mutating func block<Element>(
    of words: Set<String>, _ what: String, _ element: (inout Parser) -> Element
  ) -> [Element] {
    var elements: [Element] = []
    let open = token.span
    guard expect(.openBrace) else { return [] }
    while !token.isSymbol(.closeBrace) {
      guard token.kind != .end, !beginsItem else {
        report(.unclosedBlock, "this block is never closed", open, hint: "close it with }")
        return elements
      }
      isLost = false
      if token.kind == .word, words.contains(text(token)) {
        elements.append(element(&self))
      } else {
        reportExpected("\(what) or }", among: words)
        advance()
      }
      if isLost { skip(to: words) }
    }
    advance()
    isLost = false
    return elements
  }

  /// Skips to the next word of the block, or to the closing brace.
  ///
  /// When the file ends or the next item begins before such a token, `isLost` stays set. The enclosing blocks
  /// are then not closed either, and this mistake must be reported only once.
  private mutating func skip(to words: Set<String>) {
    var level = 0
    while true {
      if token.kind == .end || beginsItem { return }
      if level == 0 {
        if token.isSymbol(.closeBrace) { break }
        if token.kind == .word, words.contains(text(token)), !isFollowedByItsValue { break }
      }
      if token.isSymbol(.openBrace) { level += 1 }
      if token.isSymbol(.closeBrace) { level -= 1 }
      advance()
    }
    isLost = false
  }

  /// True for `pause auto` within settings, which is not a directive.
  private var isFollowedByItsValue: Bool { isWord("pause") && (isAheadWord("auto") || isAheadWord("off")) }
}
