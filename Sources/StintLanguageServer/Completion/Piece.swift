import StintAuthoring
import StintLanguage
import StintUnits

/// A token before the cursor. The words of a path form one piece.
struct Piece: Hashable {
  var text: String
  var kind: PolicyToken.Kind
  var span: SourceSpan
  var isFirstOnLine: Bool

  /// Returns true when the piece is one of these words or symbols.
  func isOne(of texts: some Sequence<String>) -> Bool { kind != .string && texts.contains(text) }

  func isWord(_ word: String) -> Bool { kind == .word && text == word }

  /// Returns the pieces that end before a cursor, and the range of the word that is being typed there.
  ///
  /// - Returns: nil within a string or a comment, where the server completes nothing.
  static func before(_ cursor: Int, in source: SourceText) -> (pieces: [Piece], typed: SourceSpan)? {
    var pieces: [Piece] = []
    for token in PolicyToken.all(of: source) {
      guard token.span.start < cursor else { break }
      if token.kind == .comment {
        if cursor <= token.span.end { return nil }
        continue
      }
      if token.kind == .string, cursor < token.span.end || !isClosed(token, in: source) { return nil }
      append(token, of: source, to: &pieces)
    }
    guard let last = pieces.last, last.span.end >= cursor, last.kind == .word || last.text == "." else {
      return (pieces, SourceSpan(start: cursor, end: cursor))
    }
    pieces.removeLast()
    return (pieces, SourceSpan(start: last.span.start, end: max(last.span.end, cursor)))
  }

  private static func isClosed(_ token: PolicyToken, in source: SourceText) -> Bool {
    let text = source.text(of: token.span)
    return text.count > 1 && text.hasSuffix("\"") && !text.hasSuffix("\\\"")
  }

  private static func append(_ token: PolicyToken, of source: SourceText, to pieces: inout [Piece]) {
    let text = source.text(of: token.span)
    if var last = pieces.last, last.span.end == token.span.start, joins(last, token, text) {
      last.text += text
      last.span.end = token.span.end
      pieces[pieces.count - 1] = last
      return
    }
    pieces.append(
      Piece(text: text, kind: token.kind, span: token.span, isFirstOnLine: token.isFirstOnLine))
  }

  /// Returns true when a token continues the last piece. A path such as `gps.accuracy` or `other/pack` is one
  /// piece, and so is a unit such as `m/s`.
  private static func joins(_ last: Piece, _ token: PolicyToken, _ text: String) -> Bool {
    guard last.kind == .word else { return false }
    if text == "." || text == "/" { return true }
    return token.kind == .word && (last.text.hasSuffix(".") || last.text.hasSuffix("/"))
  }
}
