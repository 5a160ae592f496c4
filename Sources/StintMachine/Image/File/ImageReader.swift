import StintUnits

/// Reads the parts of an image, and stops at the first byte that cannot be what it should.
///
/// It never reads beyond its end, and makes room for no more than there are bytes left to fill it.
public struct ImageReader {
  private var bytes: ByteReader
  /// What it reads, for people: `the rules of the stable part`.
  var part: String

  /// Reads this range of the bytes of a file.
  ///
  /// - Precondition: the range lies within the bytes.
  init(_ bytes: [UInt8], in range: Range<Int>, part: String) {
    self.bytes = ByteReader(bytes, in: range)
    self.part = part
  }

  /// The next byte, counted from the beginning of the file.
  public var position: Int { bytes.position }

  var remaining: Int { bytes.remaining }

  /// An error about what was just read.
  func trap(_ code: Problem.Code, at place: Int, _ sentence: String) -> Problem {
    Problem(code, place: "byte \(place), \(part)", cause: sentence, remedy: "compile the policies again")
  }

  mutating func byte() throws(Problem) -> UInt8 { try fixed(UInt8.self) }

  mutating func fixed<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) throws(Problem) -> Number {
    guard let value = bytes.integer(as: Number.self) else {
      throw trap(.length, at: position, "it ends too soon")
    }
    return value
  }

  mutating func index() throws(Problem) -> Int { Int(try fixed(UInt32.self)) }

  /// How many things follow; no more than there are bytes for.
  mutating func count(leastBytes: Int) throws(Problem) -> Int {
    let place = position
    let count = try index()
    guard count <= remaining / max(leastBytes, 1) else {
      throw trap(.length, at: place, "\(count) entries follow, more than there are bytes for")
    }
    return count
  }

  /// The next bytes.
  mutating func readBytes(_ count: Int) throws(Problem) -> ArraySlice<UInt8> {
    guard let slice = bytes.readBytes(count) else { throw trap(.length, at: position, "it ends too soon") }
    return slice
  }

  mutating func read<Value: ImageCodable>(_: Value.Type = Value.self) throws(Problem) -> Value {
    try Value(from: &self)
  }

  /// Fails when bytes are left over.
  func finish() throws(Problem) {
    guard remaining == 0 else {
      throw trap(.length, at: position, "\(remaining) bytes are left over")
    }
  }
}
