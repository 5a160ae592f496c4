import StintUnits

/// Random instants for the reloads of a run, determined by a seed.
enum ReloadTimes {
  /// Returns `count` time spans since the start of the run, in ascending order. Each is shorter than `end`.
  static func all(_ count: Int, seed: UInt64, before end: TimeSpan) -> [TimeSpan] {
    var state = seed &+ 0x5DEE_CE66
    guard end > .zero else { return [] }
    return (0..<count).map { _ in
      // SplitMix64: each bit of the state affects each bit of the result.
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      bits ^= bits >> 31
      return TimeSpan(nanoseconds: Int64(bits % UInt64(end.nanoseconds)))
    }.sorted()
  }
}
