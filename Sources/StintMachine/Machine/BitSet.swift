/// A set of integers below a fixed bound, with 64 integers in each word. Iteration is in ascending order and
/// visits only words that may have members.
struct BitSet: Sendable {
  private var words: ContiguousArray<UInt64>
  /// The words that may have members, one bit per word.
  private var summary: ContiguousArray<UInt64>
  private(set) var isEmpty = true

  init(count: Int) {
    words = ContiguousArray(repeating: 0, count: (count + 63) / 64)
    summary = ContiguousArray(repeating: 0, count: (words.count + 63) / 64)
  }

  @inline(__always)
  mutating func insert(_ place: Int) { insert(1 << UInt64(place & 63), inWord: place >> 6) }

  /// Inserts the members of a whole word of 64 bits.
  @inline(__always)
  mutating func insert(_ marks: UInt64, inWord index: Int) {
    words[index] |= marks
    summary[index >> 6] |= 1 << UInt64(index & 63)
    isEmpty = false
  }

  /// Removes a member. Afterwards `isEmpty` may be false although the set has no members.
  mutating func remove(_ place: Int) { words[place >> 6] &= ~(1 << UInt64(place & 63)) }

  func contains(_ place: Int) -> Bool { words[place >> 6] & (1 << UInt64(place & 63)) != 0 }

  /// Returns the first member at or after `place`; nil when none exists.
  func first(from place: Int) -> Int? {
    var index = place >> 6
    guard !isEmpty, index < words.count else { return nil }
    let rest = words[index] & (~0 << UInt64(place & 63))
    if rest != 0 { return (index << 6) + rest.trailingZeroBitCount }
    index += 1
    while let next = firstWord(from: index) {
      if words[next] != 0 { return (next << 6) + words[next].trailingZeroBitCount }
      index = next + 1
    }
    return nil
  }

  private func firstWord(from index: Int) -> Int? {
    var group = index >> 6
    guard group < summary.count else { return nil }
    var word = summary[group] & (~0 << UInt64(index & 63))
    while word == 0 {
      group += 1
      guard group < summary.count else { return nil }
      word = summary[group]
    }
    return (group << 6) + word.trailingZeroBitCount
  }

  mutating func removeAll() {
    guard !isEmpty else { return }
    for group in summary.indices {
      var rest = summary[group]
      while rest != 0 {
        words[(group << 6) + rest.trailingZeroBitCount] = 0
        rest &= rest - 1
      }
      summary[group] = 0
    }
    isEmpty = true
  }
}
