/// A position in a document as in the protocol: a line and a column, both from 0.
struct TextPosition: Hashable, Sendable, Comparable {
  var line: Int
  /// The column, in units of the negotiated `PositionEncoding`.
  var character: Int

  static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}
