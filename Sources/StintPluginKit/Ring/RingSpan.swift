/// Where bytes lie in a ring: one stretch, or two when they go past its end.
struct RingSpan: Hashable, Sendable {
  /// Offsets into the ring's bytes.
  var first: Range<Int>
  /// At the ring's beginning; empty when everything lies in the first.
  var second: Range<Int>

  /// The place of `count` bytes from a position on.
  ///
  /// - Precondition: the capacity is a power of two, and the count is at most that.
  init(at position: UInt64, count: Int, capacity: Int) {
    precondition(count >= 0 && count <= capacity, "a ring does not hold that much")
    let start = Int(position & UInt64(capacity - 1))
    let before = min(count, capacity - start)
    first = start..<(start + before)
    second = 0..<(count - before)
  }
}
