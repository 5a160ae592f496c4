/// A place in a document as editors count: lines and units of a line, both from 0.
struct TextPosition: Hashable, Sendable, Comparable {
  var line: Int
  /// In the units that were agreed on; see `PositionEncoding`.
  var character: Int

  static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}
