/// A range of bytes in a ring: one part, or two parts when the range wraps around the end of the ring.
struct RingSpan: Hashable, Sendable {
  /// The part that begins at the position, as offsets into the ring's data.
  var first: Range<Int>
  /// The part at the ring's beginning; empty when the range does not wrap around.
  var second: Range<Int>

  /// Makes the range of `count` bytes from a position on.
  ///
  /// - Precondition: the capacity is a power of two and at least `count`.
  init(at position: UInt64, count: Int, capacity: Int) {
    precondition(count >= 0 && count <= capacity, "the range is larger than the ring")
    let start = Int(position & UInt64(capacity - 1))
    let before = min(count, capacity - start)
    first = start..<(start + before)
    second = 0..<(count - before)
  }
}
