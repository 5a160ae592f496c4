/// Which of a fixed number of things are marked; read in ascending order.
struct MarkSet: Sendable {
  private var words: ContiguousArray<UInt64>
  private(set) var isEmpty = true

  init(count: Int) { words = ContiguousArray(repeating: 0, count: (count + 63) / 64) }

  mutating func insert(_ place: Int) {
    words[place >> 6] |= 1 << UInt64(place & 63)
    isEmpty = false
  }

  /// Takes a mark away; a set that has lost its last mark so may still say that it is not empty.
  mutating func remove(_ place: Int) { words[place >> 6] &= ~(1 << UInt64(place & 63)) }

  func contains(_ place: Int) -> Bool { words[place >> 6] & (1 << UInt64(place & 63)) != 0 }

  /// The first mark at `place` or behind it.
  func first(from place: Int) -> Int? {
    var index = place >> 6
    guard !isEmpty, index < words.count else { return nil }
    var word = words[index] & (~0 << UInt64(place & 63))
    while word == 0 {
      index += 1
      guard index < words.count else { return nil }
      word = words[index]
    }
    return (index << 6) + word.trailingZeroBitCount
  }

  mutating func removeAll() {
    guard !isEmpty else { return }
    for index in words.indices { words[index] = 0 }
    isEmpty = true
  }
}
