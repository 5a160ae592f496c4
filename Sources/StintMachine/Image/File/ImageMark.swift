/// What tells one manifest from another: FNV-1a of 128 bits over its encoded form.
///
/// It finds what has changed by accident. Who forges a mark gains nothing: the verifier trusts no number for it.
public struct ImageMark: Hashable, Sendable, CustomStringConvertible {
  public var high: UInt64
  public var low: UInt64

  /// Makes a mark of its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The mark of bytes.
  public init(of bytes: [UInt8]) {
    let prime = UInt128(1) << 88 | 0x13B
    var hash = UInt128(0x6C62_272E_07BB_0142) << 64 | 0x62B8_2175_6295_C58D
    for byte in bytes { hash = (hash ^ UInt128(byte)) &* prime }
    self.init(high: UInt64(truncatingIfNeeded: hash >> 64), low: UInt64(truncatingIfNeeded: hash))
  }

  /// 32 hexadecimal digits.
  public var description: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
