/// The positions of both ends of a ring, as one end knows them. A position is the number of bytes that the
/// end has written or read since the ring was made.
///
/// Each new position of the other end is checked. It must be in the possible range, and not below the
/// previous position of that end. Positions only grow; 2^64 bytes are never reached.
struct RingPosition: Hashable, Sendable {
  enum End: Hashable, Sendable {
    case writer
    case reader
  }

  let end: End
  /// The size of the ring's data in bytes: a power of two.
  let capacity: Int
  /// This end's position; the word in shared memory is only a copy of it.
  private(set) var own: UInt64 = 0
  /// The last accepted position of the other end.
  private(set) var other: UInt64 = 0

  /// - Precondition: the capacity is a power of two, and at least 8.
  init(_ end: End, capacity: Int) {
    precondition(capacity >= 8 && capacity & (capacity - 1) == 0, "a ring's capacity is a power of two")
    self.end = end
    self.capacity = capacity
  }

  /// The number of bytes that this end may write or read, according to the last accepted position of the
  /// other end.
  var available: Int {
    switch end {
    case .writer: capacity - Int(own - other)
    case .reader: Int(other - own)
    }
  }

  /// Accepts the other end's position from shared memory.
  ///
  /// - Throws: a fault when the position is impossible.
  mutating func see(_ position: UInt64) throws(RingFault) {
    guard position >= other else { throw .movedBackwards(from: other, to: position) }
    switch end {
    case .writer:
      // A reader cannot have read bytes that were not written.
      guard position <= own else { throw .overran(by: position - own) }
    case .reader:
      guard position - own <= UInt64(capacity) else { throw .overran(by: position - own - UInt64(capacity)) }
    }
    other = position
  }

  /// Returns the range of the next `count` bytes after `skipping` bytes.
  func span(_ count: Int, skipping: Int = 0) -> RingSpan {
    precondition(count + skipping <= available, "the range exceeds the available bytes of the ring")
    return RingSpan(at: own + UInt64(skipping), count: count, capacity: capacity)
  }

  /// Moves this end forward by the bytes that were written or read.
  mutating func advance(_ count: Int) {
    precondition(count >= 0 && count <= available, "the step exceeds the available bytes of the ring")
    own += UInt64(count)
  }
}
