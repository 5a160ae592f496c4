import StintSystem
import StintUnits

/// Reads the values of a received message.
///
/// The content is untrusted: the reader limits the number of values, the bytes and the depth.
struct MessageReader {
  private let message: MessageHandle
  private let limits: DBusLimits
  private let place: String
  private var bytes = 0
  private(set) var count = 0

  init(_ message: MessageHandle, _ limits: DBusLimits, place: String) {
    self.message = message
    self.limits = limits
    self.place = place
  }

  /// Reads all values of the body.
  mutating func values() throws(Problem) -> [DBusValue] { try sequence(0) }

  /// Reads values until the end of the body or of the container.
  private mutating func sequence(_ depth: Int) throws(Problem) -> [DBusValue] {
    var values: [DBusValue] = []
    while let (type, contents) = try next() { values.append(try value(type, contents, depth)) }
    return values
  }

  /// Returns the type of the next value and the types in it; nil at the end.
  private func next() throws(Problem) -> (UInt8, String)? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard try check(message.library.peek(message.pointer, &type, &contents)) > 0 else { return nil }
    // The pointer is valid only until the next call of the library.
    return (UInt8(bitPattern: type), contents.map { String(cString: $0) } ?? "")
  }

  private mutating func value(
    _ type: UInt8, _ contents: String, _ depth: Int
  ) throws(Problem) -> DBusValue {
    count += 1
    guard count <= limits.values else { throw tooLarge("has more than \(limits.values) values") }
    guard depth < limits.depth else {
      throw Problem(
        .depth, place: place, cause: "the message is nested more than \(limits.depth) levels deep")
    }
    switch type {
    case UInt8(ascii: "y"): return .byte(try basic(type, UInt8(0)))
    // The library writes a Boolean value as a C `int`.
    case UInt8(ascii: "b"): return .boolean(try basic(type, Int32(0)) != 0)
    case UInt8(ascii: "n"): return .int16(try basic(type, Int16(0)))
    case UInt8(ascii: "q"): return .uint16(try basic(type, UInt16(0)))
    case UInt8(ascii: "i"): return .int32(try basic(type, Int32(0)))
    case UInt8(ascii: "u"): return .uint32(try basic(type, UInt32(0)))
    case UInt8(ascii: "x"): return .int64(try basic(type, Int64(0)))
    case UInt8(ascii: "t"): return .uint64(try basic(type, UInt64(0)))
    case UInt8(ascii: "d"): return .double(try basic(type, 0.0))
    case UInt8(ascii: "s"): return .text(try text(type))
    case UInt8(ascii: "o"): return .path(try text(type))
    case UInt8(ascii: "g"): return .signature(try text(type))
    case UInt8(ascii: "a") where contents == "y": return .bytes(try byteArray())
    case UInt8(ascii: "a"): return try array(contents, depth)
    case UInt8(ascii: "r"):
      return .structure(
        try container("r", contents) { reader throws(Problem) in try reader.sequence(depth + 1) })
    case UInt8(ascii: "v"):
      let values = try container("v", contents) { reader throws(Problem) in try reader.sequence(depth + 1) }
      guard values.count == 1 else { throw .malformed(place, EBADMSG) }
      return .variant(values[0])
    default:
      throw Problem(
        .unsupported, place: place,
        cause: "the message contains a value of the type “\(Character(Unicode.Scalar(type)))”")
    }
  }

  private mutating func array(_ contents: String, _ depth: Int) throws(Problem) -> DBusValue {
    guard contents.hasPrefix("{") else {
      let values = try container("a", contents) { reader throws(Problem) in try reader.sequence(depth + 1) }
      return .array(values, of: contents)
    }
    // The signature of a key has one letter, because a key has a basic type.
    let types = String(contents.dropFirst().dropLast())
    let entries = try container("a", contents) { reader throws(Problem) in
      var entries: [DBusEntry] = []
      while let (_, parts) = try reader.next() {
        let pair = try reader.container("e", parts) { reader throws(Problem) in try reader.sequence(depth + 1)
        }
        guard pair.count == 2 else { throw Problem.malformed(reader.place, EBADMSG) }
        entries.append(DBusEntry(key: pair[0], value: pair[1]))
      }
      return entries
    }
    return .dictionary(entries, key: String(types.prefix(1)), value: String(types.dropFirst()))
  }

  private mutating func container<Value>(
    _ type: Unicode.Scalar, _ contents: String,
    _ body: (inout MessageReader) throws(Problem) -> Value
  ) throws(Problem) -> Value {
    try check(message.library.enterContainer(message.pointer, CChar(type.value), contents))
    let value = try body(&self)
    try check(message.library.exitContainer(message.pointer))
    return value
  }

  private func basic<Number: BitwiseCopyable>(_ type: UInt8, _ zero: Number) throws(Problem) -> Number {
    var value = zero
    try check(
      withUnsafeMutableBytes(of: &value) { bytes in
        bytes.baseAddress.map { message.library.readBasic(message.pointer, CChar(bitPattern: type), $0) }
          ?? -1
      })
    return value
  }

  private mutating func text(_ type: UInt8) throws(Problem) -> String {
    var start: UnsafePointer<CChar>?
    try check(message.library.readBasic(message.pointer, CChar(bitPattern: type), &start))
    guard let start else { return "" }
    try charge(strlen(start))
    return String(cString: start)
  }

  private mutating func byteArray() throws(Problem) -> [UInt8] {
    var start: UnsafeRawPointer?
    var size = 0
    let byte = CChar(bitPattern: UInt8(ascii: "y"))
    try check(message.library.readArray(message.pointer, byte, &start, &size))
    try charge(size)
    return Array(UnsafeRawBufferPointer(start: start, count: size))
  }

  private mutating func charge(_ size: Int) throws(Problem) {
    bytes += size
    guard bytes <= limits.bytes else {
      throw tooLarge("has more than \(limits.bytes) bytes of text and data")
    }
  }

  private func tooLarge(_ reason: String) -> Problem {
    Problem(.tooLarge, place: place, cause: "the message \(reason)")
  }

  @discardableResult
  private func check(_ number: Int32) throws(Problem) -> Int32 {
    guard number >= 0 else { throw .malformed(place, -number) }
    return number
  }
}
