/// How a frame lies in a ring: four bytes of length, the payload, and padding up to a multiple of eight.
enum RingFrame {
  static let headBytes = 4
  static let alignment = 8

  /// The bytes that a payload takes in a ring.
  static func bytes(payload: Int) -> Int { (headBytes + payload + alignment - 1) & ~(alignment - 1) }

  /// The longest payload that fits a ring.
  static func longest(capacity: Int) -> Int { capacity - headBytes }

  /// Checks the frame length at the reader's position against the `available` bytes; returns the bytes that
  /// the frame takes.
  static func bytes(announced length: UInt32, available: Int) throws(RingFault) -> Int {
    guard let payload = Int(exactly: length), payload <= available - headBytes else {
      throw .frameTooLong(length)
    }
    let bytes = bytes(payload: payload)
    guard bytes <= available else { throw .frameTooLong(length) }
    return bytes
  }
}
