package import StintUnits

/// Decoding of journals and state files: integers have eight bytes; strings and arrays begin with
/// their length.
extension ByteReader {
  package var isAtEnd: Bool { remaining == 0 }

  package mutating func byte() throws(CodingFault) -> UInt8 {
    guard let value = integer(as: UInt8.self) else { throw CodingFault(offset: position, expected: "a byte") }
    return value
  }

  package mutating func integer() throws(CodingFault) -> Int64 {
    guard let value = integer(as: Int64.self) else {
      throw CodingFault(offset: position, expected: "eight bytes")
    }
    return value
  }

  package mutating func number() throws(CodingFault) -> Double {
    Double(bitPattern: UInt64(bitPattern: try integer()))
  }

  /// Reads the number of the elements that follow. Each element takes at least one byte.
  package mutating func count() throws(CodingFault) -> Int {
    let value = try integer()
    guard value >= 0, value <= Int64(remaining) else {
      throw CodingFault(offset: position - 8, expected: "a count within the remaining bytes")
    }
    return Int(value)
  }

  package mutating func text() throws(CodingFault) -> String { String(decoding: try block(), as: UTF8.self) }

  package mutating func block() throws(CodingFault) -> [UInt8] {
    let length = try count()
    guard let bytes = readBytes(length) else {
      throw CodingFault(offset: position, expected: "\(length) bytes")
    }
    return Array(bytes)
  }

  package mutating func optional<Value>(
    _ read: (inout ByteReader) throws(CodingFault) -> Value
  ) throws(CodingFault) -> Value? {
    switch try byte() {
    case 0: return nil
    case 1: return try read(&self)
    default: throw CodingFault(offset: position - 1, expected: "0 or 1")
    }
  }
}

extension ByteWriter {
  package mutating func byte(_ value: UInt8) { append(value) }

  /// Writes eight bytes, little-endian. The bytes are copied in one call for speed, because every step
  /// is journalled.
  package mutating func integer(_ value: Int64) {
    withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  package mutating func number(_ value: Double) { integer(Int64(bitPattern: value.bitPattern)) }

  package mutating func text(_ value: String) {
    integer(Int64(value.utf8.count))
    append(contentsOf: value.utf8)
  }

  /// Writes the number of bytes, then the bytes.
  package mutating func block(_ value: [UInt8]) {
    integer(Int64(value.count))
    append(contentsOf: value)
  }

  package mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
    byte(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }
}

/// Invalid bytes: their offset and the expected content.
package struct CodingFault: Error, Hashable, Sendable {
  package var offset: Int
  package var expected: String
}
