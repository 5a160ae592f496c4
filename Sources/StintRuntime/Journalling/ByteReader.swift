/// Reads what a `ByteWriter` wrote; every read can fail, none can trap.
struct ByteReader {
  private let bytes: [UInt8]
  private(set) var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func byte() throws(CodingFault) -> UInt8 {
    guard place < bytes.count else { throw CodingFault(offset: place, expected: "a byte") }
    place += 1
    return bytes[place - 1]
  }

  mutating func integer() throws(CodingFault) -> Int64 {
    guard place + 8 <= bytes.count else { throw CodingFault(offset: place, expected: "eight bytes") }
    var value: UInt64 = 0
    for index in (0..<8).reversed() { value = value << 8 | UInt64(bytes[place + index]) }
    place += 8
    return Int64(bitPattern: value)
  }

  mutating func number() throws(CodingFault) -> Double {
    Double(bitPattern: UInt64(bitPattern: try integer()))
  }

  mutating func count() throws(CodingFault) -> Int {
    let value = try integer()
    guard value >= 0, value <= Int64(bytes.count - place) else {
      throw CodingFault(offset: place - 8, expected: "a count that fits")
    }
    return Int(value)
  }

  mutating func text() throws(CodingFault) -> String {
    let length = try count()
    place += length
    return String(decoding: bytes[(place - length)..<place], as: UTF8.self)
  }

  mutating func block() throws(CodingFault) -> [UInt8] {
    let length = try count()
    place += length
    return Array(bytes[(place - length)..<place])
  }

  mutating func optional<Value>(
    _ read: (inout ByteReader) throws(CodingFault) -> Value
  ) throws(CodingFault) -> Value? {
    switch try byte() {
    case 0: return nil
    case 1: return try read(&self)
    default: throw CodingFault(offset: place - 1, expected: "0 or 1")
    }
  }
}

/// Bytes that mean nothing: where, and what was expected.
struct CodingFault: Error, Hashable, Sendable {
  var offset: Int
  var expected: String
}
