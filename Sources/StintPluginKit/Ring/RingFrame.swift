/// The layout of a frame in a ring: four bytes of length, the payload, and padding up to a multiple of eight.
enum RingFrame {
  static let headBytes = 4
  static let alignment = 8

  /// Returns the number of bytes that a payload occupies in a ring.
  static func bytes(payload: Int) -> Int { (headBytes + payload + alignment - 1) & ~(alignment - 1) }

  /// Returns the length of the longest payload that fits a ring.
  static func longest(capacity: Int) -> Int { capacity - headBytes }

  /// Checks a frame's length against the `available` bytes. Returns the number of bytes that the
  /// frame occupies.
  static func bytes(announced length: UInt32, available: Int) throws(RingFault) -> Int {
    guard let payload = Int(exactly: length), payload <= available - headBytes else {
      throw .frameTooLong(length)
    }
    let bytes = bytes(payload: payload)
    guard bytes <= available else { throw .frameTooLong(length) }
    return bytes
  }
}
