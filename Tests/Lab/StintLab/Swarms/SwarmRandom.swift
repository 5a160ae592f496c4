import StintUnits

/// Pseudorandom numbers of a seed, for swarms.
struct SwarmRandom: Sendable {
  private var state: UInt64

  /// - Parameter salt: selects one of the sequences of the seed.
  init(seed: UInt64, salt: UInt64 = 0) {
    state = (seed ^ (salt << 32)) &* 0xD6E8_FEB8_6659_FD93 &+ 0x2545_F491_4F6C_DD1D
  }

  /// Returns a number in 0..<bound (SplitMix64).
  mutating func below(_ bound: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return bits % max(bound, 1)
  }

  mutating func below(_ bound: Int) -> Int { Int(below(UInt64(max(bound, 1)))) }

  /// Returns true with a probability of one in `count`.
  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

  /// Returns a span from `first` to `last` that exceeds `first` by a whole number of seconds.
  mutating func span(_ first: TimeSpan, _ last: TimeSpan) -> TimeSpan {
    let seconds = (last.nanoseconds - first.nanoseconds) / 1_000_000_000
    return first + .seconds(Int64(below(UInt64(max(seconds, 0) + 1))))
  }
}
