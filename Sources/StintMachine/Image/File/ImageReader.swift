import StintUnits

/// Decodes the parts of an image. Decoding fails at the first invalid byte.
///
/// The reader never reads beyond the end of its range. It never allocates more entries than the remaining
/// bytes can fill.
public struct ImageReader {
  private var bytes: ByteReader
  /// The name of the part, for messages: `the stable part`.
  var part: String

  /// Creates a reader for a range of the bytes of a file.
  ///
  /// - Precondition: the range lies within the bytes.
  init(_ bytes: [UInt8], in range: Range<Int>, part: String) {
    self.bytes = ByteReader(bytes, in: range)
    self.part = part
  }

  /// The offset of the next byte from the beginning of the file.
  public var position: Int { bytes.position }

  var remaining: Int { bytes.remaining }

  /// Creates an error about the value at a byte offset.
  func trap(_ code: Problem.Code, at place: Int, _ sentence: String) -> Problem {
    Problem(code, place: "byte \(place), \(part)", cause: sentence, remedy: "compile the policies again")
  }

  mutating func byte() throws(Problem) -> UInt8 { try fixed(UInt8.self) }

  mutating func fixed<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) throws(Problem) -> Number {
    guard let value = bytes.integer(as: Number.self) else {
      throw trap(.length, at: position, "the data ends early")
    }
    return value
  }

  mutating func index() throws(Problem) -> Int { Int(try fixed(UInt32.self)) }

  /// Reads a count of entries.
  ///
  /// - Throws: `Problem` when the remaining bytes cannot hold that number of entries of at least `minBytes`
  ///   bytes.
  mutating func count(minBytes: Int) throws(Problem) -> Int {
    let place = position
    let count = try index()
    guard count <= remaining / max(minBytes, 1) else {
      throw trap(.length, at: place, "the count \(count) is too large for the remaining bytes")
    }
    return count
  }

  /// Reads `count` bytes. Throws when fewer bytes remain.
  mutating func readBytes(_ count: Int) throws(Problem) -> ArraySlice<UInt8> {
    guard let slice = bytes.readBytes(count) else { throw trap(.length, at: position, "the data ends early") }
    return slice
  }

  mutating func read<Value: ImageCodable>(_: Value.Type = Value.self) throws(Problem) -> Value {
    try Value(from: &self)
  }

  /// Throws when unread bytes remain.
  func finish() throws(Problem) {
    guard remaining == 0 else {
      throw trap(.length, at: position, "the number of unexpected bytes at the end is \(remaining)")
    }
  }
}
