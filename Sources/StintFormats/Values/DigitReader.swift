/// Takes digits and signs from the front of a text.
struct DigitReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  /// Takes a sign if it comes next.
  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard index < bytes.count, UInt32(bytes[index]) == sign.value else { return false }
    index += 1
    return true
  }

  /// Reads a number of exactly `count` digits; nil when they are not there.
  mutating func number(_ count: Int) -> Int? {
    guard index + count <= bytes.count else { return nil }
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// The digits behind a decimal point as nanoseconds; further ones are dropped. Nil without a digit.
  mutating func nanoseconds() -> Int64? {
    var value: Int64 = 0
    var unit: Int64 = 100_000_000
    let start = index
    while let digit = digit() {
      value += Int64(digit) * unit
      unit /= 10
    }
    return index == start ? nil : value
  }

  private mutating func digit() -> Int? {
    guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
    index += 1
    return Int(bytes[index - 1] - 0x30)
  }
}
