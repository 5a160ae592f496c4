extension String {
  /// Returns the range of the first occurrence of `piece`; nil when there is no occurrence.
  func range(of piece: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(piece) { return start..<index(start, offsetBy: piece.count) }
      start = index(after: start)
    }
    return nil
  }

  func replacingCharacters(in range: Range<String.Index>, with replacement: String) -> String {
    self[..<range.lowerBound] + replacement + self[range.upperBound...]
  }
}
