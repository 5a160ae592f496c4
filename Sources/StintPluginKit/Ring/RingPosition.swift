/// How far one end of a ring has come, and how far it has seen the other come, in bytes since the beginning.
///
/// Believes nothing: what the other end says is compared with what it said before and with what is possible. Positions
/// only grow; 2^64 bytes are never reached.
struct RingPosition: Hashable, Sendable {
  /// Which end this is.
  enum End: Hashable, Sendable {
    case writer
    case reader
  }

  let end: End
  /// The ring's bytes: a power of two.
  let capacity: Int
  /// This end's own position; what is in shared memory is only a copy of it.
  private(set) var own: UInt64 = 0
  /// The other end's position as it was seen last.
  private(set) var other: UInt64 = 0

  /// - Precondition: the capacity is a power of two, and at least 8.
  init(_ end: End, capacity: Int) {
    precondition(capacity >= 8 && capacity & (capacity - 1) == 0, "a ring's capacity is a power of two")
    self.end = end
    self.capacity = capacity
  }

  /// Bytes that this end may write or read now.
  var available: Int {
    switch end {
    case .writer: capacity - Int(own - other)
    case .reader: Int(other - own)
    }
  }

  /// Takes note of the position that stands in shared memory for the other end.
  mutating func see(_ position: UInt64) throws(RingFault) {
    guard position >= other else { throw .movedBackwards(from: other, to: position) }
    switch end {
    case .writer:
      // A reader cannot have read what was not written.
      guard position <= own else { throw .overran(by: position - own) }
    case .reader:
      guard position - own <= UInt64(capacity) else { throw .overran(by: position - own - UInt64(capacity)) }
    }
    other = position
  }

  /// Where the next bytes lie, after `skipping` bytes that are read already.
  func span(_ count: Int, skipping: Int = 0) -> RingSpan {
    precondition(count + skipping <= available, "an end of a ring goes no further than the other lets it")
    return RingSpan(at: own + UInt64(skipping), count: count, capacity: capacity)
  }

  /// Goes on by bytes that were written or read.
  mutating func advance(_ count: Int) {
    precondition(count >= 0 && count <= available, "an end of a ring goes no further than the other lets it")
    own += UInt64(count)
  }
}
