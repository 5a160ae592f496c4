import StintUnits

/// Random moments of a day, the same for the same seed.
enum ReloadTimes {
  /// In order, each before the day is over.
  static func all(_ count: Int, seed: UInt64, before end: TimeSpan) -> [TimeSpan] {
    var state = seed &+ 0x5DEE_CE66
    guard end > .zero else { return [] }
    return (0..<count).map { _ in
      // SplitMix64: every bit of the state reaches every bit of the number.
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      bits ^= bits >> 31
      return TimeSpan(nanoseconds: Int64(bits % UInt64(end.nanoseconds)))
    }.sorted()
  }
}
