import StintUnits

/// Reads values in the format of `BinaryEncoder`.
///
/// Before memory is allocated, counts and lengths are compared with the number of remaining bytes.
struct BinaryReader {
  private(set) var bytes: ByteReader
  private let source: String
  /// The numbered keys, in order.
  private var keys: [String] = []
  private var depth = 0

  init(_ bytes: ByteReader, source: String) {
    self.bytes = bytes
    self.source = source
  }

  /// Reads the next value.
  ///
  /// - Throws: a problem with the byte offset of the value or length that is wrong.
  mutating func value() throws(Problem) -> JSONValue {
    let start = bytes.position
    let tag = try byte()
    switch tag {
    case 0...0x7F: return JSONValue(Int(tag))
    case BinaryTag.shortString..<BinaryTag.null:
      return JSONValue(try string(Int(tag - BinaryTag.shortString)))
    case BinaryTag.null: return .null
    case BinaryTag.falsity: return false
    case BinaryTag.truth: return true
    case BinaryTag.positive, BinaryTag.negative:
      guard let number = Int128(exactly: try varint()) else {
        throw error(.corrupt, "an integer has more than 128 bits", at: start)
      }
      return JSONValue(tag == BinaryTag.positive ? number : -1 - number)
    case BinaryTag.number:
      guard let pattern: UInt64 = bytes.integer() else { throw truncated }
      return JSONValue(.number(Double(bitPattern: pattern)))
    case BinaryTag.string: return JSONValue(try string(try length()))
    case BinaryTag.array: return try nested(at: start) { reader throws(Problem) in try reader.array() }
    case BinaryTag.object: return try nested(at: start) { reader throws(Problem) in try reader.object() }
    default: throw error(.corrupt, "no value starts with byte \(tag)", at: start)
    }
  }

  private mutating func nested(
    at start: Int, _ read: (inout BinaryReader) throws(Problem) -> JSONValue
  ) throws(Problem) -> JSONValue {
    guard depth < BinaryDecoder.depthLimit else {
      throw error(.depth, "nested more than \(BinaryDecoder.depthLimit) levels deep", at: start)
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func array() throws(Problem) -> JSONValue {
    var items: [JSONValue] = []
    for _ in 0..<(try length()) { items.append(try value()) }
    return JSONValue(items)
  }

  private mutating func object() throws(Problem) -> JSONValue {
    var members: [JSONMember] = []
    var names: Set<String> = []
    for _ in 0..<(try length()) {
      let start = bytes.position
      let name = try key()
      guard names.insert(name).inserted else {
        throw error(.duplicate, "the key “\(Excerpt.text(name))” appears twice", at: start)
      }
      members.append(JSONMember(name, try value()))
    }
    return JSONValue(members)
  }

  private mutating func key() throws(Problem) -> String {
    let start = bytes.position
    let number = try varint()
    guard number == 0 else {
      guard number <= keys.count else {
        throw error(.corrupt, "key \(number) is not defined", at: start)
      }
      return keys[Int(number) - 1]
    }
    let length = try length()
    let name = try string(length)
    if length <= BinaryTag.numberedKeyLength { keys.append(name) }
    return name
  }

  private mutating func string(_ length: Int) throws(Problem) -> String {
    let start = bytes.position
    guard let content = bytes.readBytes(length) else { throw truncated }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw error(.corrupt, "a string is not valid UTF-8", at: start)
    }
    return text
  }

  /// Reads a number of bytes, elements or members, which need at least one byte each.
  private mutating func length() throws(Problem) -> Int {
    let number = try varint()
    guard number <= bytes.remaining else { throw truncated }
    return Int(number)
  }

  private mutating func varint() throws(Problem) -> UInt128 {
    let start = bytes.position
    var number: UInt128 = 0
    for shift in stride(from: 0, to: 128, by: 7) {
      let byte = try byte()
      let group = UInt128(byte & 0x7F)
      guard (group << shift) >> shift == group else { break }
      number |= group << shift
      if byte < 0x80 { return number }
    }
    throw error(.corrupt, "a number has more than 128 bits", at: start)
  }

  private mutating func byte() throws(Problem) -> UInt8 {
    guard let byte: UInt8 = bytes.integer() else { throw truncated }
    return byte
  }

  private var truncated: Problem {
    error(.truncated, "the data ends inside a value", at: bytes.position + bytes.remaining)
  }

  private func error(_ code: Problem.Code, _ cause: String, at position: Int) -> Problem {
    Problem(code, place: Problem.Place(source, byte: Int64(position)), cause: cause)
  }
}
