/// Writes values one behind the other, little-endian, lengths before texts.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func integer(_ value: Int64) {
    var rest = UInt64(bitPattern: value)
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func number(_ value: Double) { integer(Int64(bitPattern: value.bitPattern)) }

  mutating func text(_ value: String) {
    let utf8 = Array(value.utf8)
    integer(Int64(utf8.count))
    bytes += utf8
  }

  mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
    byte(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }
}
