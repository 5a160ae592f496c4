/// An FNV-1a hash over decisions, each as two bytes, low byte first.
struct DecisionChecksum: Hashable, Sendable {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ priority: Int) {
    for byte in [UInt64(priority & 0xff), UInt64((priority >> 8) & 0xff)] {
      value = (value ^ byte) &* 0x100_0000_01b3
    }
  }

  mutating func add(_ priorities: some Sequence<Int>) { for priority in priorities { add(priority) } }

  /// The hash as 16 hexadecimal digits.
  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
