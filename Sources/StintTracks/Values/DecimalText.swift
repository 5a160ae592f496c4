/// Decimal numbers as tables, GPX files and NMEA sentences contain them: `-12.5`, `3e-2`; not `nan`, `0x10`
/// or digit groups.
enum DecimalText {
  /// Parses a number; nil when the bytes are not a finite decimal number.
  static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
    bytes.withUnsafeBufferPointer { number($0) }
  }

  /// The powers of ten that a double represents exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var index = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { index = 1 }
    var digits: UInt64 = 0
    var count = 0
    var decimals = 0
    var isPastPoint = false
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), !isPastPoint {
        isPastPoint = true
      } else if byte >= 0x30, byte <= 0x39 {
        count += 1
        if isPastPoint { decimals += 1 }
        if count <= 18 { digits = digits * 10 + UInt64(byte - 0x30) }
      } else {
        break
      }
      index += 1
    }
    guard count > 0 else { return nil }
    // The digits and the power of ten are exact doubles, so one division gives the correctly rounded result.
    if index == bytes.count, count <= 18, decimals <= 22, digits < 1 << 53 {
      let value = Double(digits) / powers[decimals]
      return isNegative ? -value : value
    }
    guard index == bytes.count || isExponent(bytes, from: index) else { return nil }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
    return value
  }

  private static func isExponent(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    guard bytes[start] | 0x20 == UInt8(ascii: "e") else { return false }
    var index = start + 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      index += 1
    }
    return index < bytes.count && bytes[index...].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}
