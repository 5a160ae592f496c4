/// Writes values one behind the other, little-endian, lengths before texts.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  /// Forgets what was written, and keeps the room for more.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func integer(_ value: Int64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func number(_ value: Double) { integer(Int64(bitPattern: value.bitPattern)) }

  mutating func text(_ value: String) {
    integer(Int64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  /// Bytes with their number in front.
  mutating func block(_ value: [UInt8]) {
    integer(Int64(value.count))
    bytes += value
  }

  mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
    byte(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }
}
