/// What the other end of a ring did that no honest end does. The ring is not used after it.
public enum RingFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It moved its position back, or took back what it had said.
  case movedBackwards(from: UInt64, to: UInt64)
  /// It says that it wrote more than there is room for, or read more than there was.
  case overran(by: UInt64)
  /// A frame is longer than the ring can hold, or than the writer has written.
  case frameTooLong(UInt32)
  /// The memory is no ring, or one of another size than was agreed.
  case notARing

  public var description: String {
    switch self {
    case .movedBackwards(let old, let new): "moved its position from \(old) back to \(new)"
    case .overran(let count): "moved its position \(count) bytes beyond the ring's bounds"
    case .frameTooLong(let length): "announced a frame of \(length) bytes, which it has not written"
    case .notARing: "shares memory that is no ring of the agreed size"
    }
  }
}
