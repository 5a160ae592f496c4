/// A hash that identifies a manifest or a schema: FNV-1a with 128 bits over its encoded form.
///
/// The hash detects accidental changes. Forged hashes are harmless, because the verifier checks every index
/// regardless of the hashes.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  /// The upper 64 bits.
  public var high: UInt64
  /// The lower 64 bits.
  public var low: UInt64

  /// Creates a hash from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Computes the hash of bytes.
  public init(of bytes: [UInt8]) {
    let prime = UInt128(1) << 88 | 0x13B
    var hash = UInt128(0x6C62_272E_07BB_0142) << 64 | 0x62B8_2175_6295_C58D
    for byte in bytes { hash = (hash ^ UInt128(byte)) &* prime }
    self.init(high: UInt64(truncatingIfNeeded: hash >> 64), low: UInt64(truncatingIfNeeded: hash))
  }

  /// The hash as 32 hexadecimal digits.
  public var description: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
