/// A violation of the ring protocol by the other side. After a fault, the ring must not be used.
package enum RingFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The other side moved its position backwards.
  case movedBackwards(from: UInt64, to: UInt64)
  /// The position exceeds its bound. A writer cannot claim more bytes than were free, and a reader cannot
  /// claim more bytes than were written.
  case overran(by: UInt64)
  /// The length of a frame exceeds the size of the ring or the number of written bytes.
  case frameTooLong(UInt32)
  /// The memory is not a ring of the agreed size.
  case notARing

  package var description: String {
    switch self {
    case .movedBackwards(let old, let new): "moved its position from \(old) back to \(new)"
    case .overran(let count): "moved its position \(count) bytes beyond the ring's bounds"
    case .frameTooLong(let length): "announced a frame of \(length) bytes, which it has not written"
    case .notARing: "shares memory that is not a ring of the agreed size"
    }
  }
}
