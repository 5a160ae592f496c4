extension String {
  /// Where a piece stands first; nil when it does not.
  func range(of piece: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(piece) { return start..<index(start, offsetBy: piece.count) }
      start = index(after: start)
    }
    return nil
  }

  /// The text with one stretch replaced.
  func replacingCharacters(in range: Range<String.Index>, with replacement: String) -> String {
    self[..<range.lowerBound] + replacement + self[range.upperBound...]
  }
}
