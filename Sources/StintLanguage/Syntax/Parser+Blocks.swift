extension Parser {
  /// What stands between braces: one element after another, each begun by one of the words, which is in hand
  /// then.
  ///
  /// What cannot be read is skipped up to the next of the words, or the closing brace.
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

  /// Stays lost where the blocks around this one are not closed either: that is one mistake.
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

  /// `pause auto` within settings is no directive.
  private var isFollowedByItsValue: Bool { isWord("pause") && (isAheadWord("auto") || isAheadWord("off")) }
}
