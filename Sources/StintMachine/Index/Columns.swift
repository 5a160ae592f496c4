extension ContiguousArray<SIMD8<UInt64>> {
  /// Sets or clears one column.
  mutating func set(_ column: Int, _ isSet: Bool) {
    let bit: UInt64 = 1 << UInt64(column & 63)
    if isSet {
      self[column >> 9][(column >> 6) & 7] |= bit
    } else {
      self[column >> 9][(column >> 6) & 7] &= ~bit
    }
  }

  /// The 64 columns of a word.
  @inline(__always)
  func word(_ index: Int) -> UInt64 { self[index >> 3][index & 7] }

  func contains(_ column: Int) -> Bool { word(column >> 6) & (1 << UInt64(column & 63)) != 0 }
}
