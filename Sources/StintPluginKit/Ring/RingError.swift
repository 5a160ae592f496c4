/// Why the system would not give the memory or the descriptor of a ring.
public struct RingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call that failed; `missing` in front of a call that this system does not have.
  public var call: String
  /// The system's number for the reason; 0 where it gave none.
  public var number: Int32

  init(_ call: String, _ number: Int32 = 0) {
    self.call = call
    self.number = number
  }

  public var description: String {
    number == 0 ? "\(call) is not there on this system; use a pipe" : "\(call) failed with error \(number)"
  }
}
