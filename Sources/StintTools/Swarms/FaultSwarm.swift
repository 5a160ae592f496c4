import StintModel
import StintUnits

/// Faults drawn at random: a few devices fail in a few ways, some at the same time, as on a bad day.
struct FaultSwarm {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0xD6E8_FEB8_6659_FD93 &+ 0x2545_F491_4F6C_DD1D }

  /// The strikes of one run, in order of time. They end before the last tenth, in which all should be well again.
  mutating func strikes(on manifests: [Manifest], within duration: TimeSpan) -> [FaultStrike] {
    let candidates = manifests.filter { !Self.kinds(of: $0).isEmpty }
    guard !candidates.isEmpty, duration.nanoseconds > 10 else { return [] }
    let end = duration.nanoseconds / 10 * 9
    var strikes: [FaultStrike] = []
    for _ in 0..<(3 + below(10)) {
      let manifest = candidates[Int(below(UInt64(candidates.count)))]
      let kinds = Self.kinds(of: manifest)
      let at = Int64(below(UInt64(end)))
      let longest = min(end - at, duration.nanoseconds / 8)
      strikes.append(
        FaultStrike(
          device: manifest.device, at: TimeSpan(nanoseconds: at),
          duration: TimeSpan(nanoseconds: 1 + Int64(below(UInt64(longest)))),
          kind: kinds[Int(below(UInt64(kinds.count)))],
          delay: .seconds(Int64(1 + below(120)))))
    }
    return strikes.sorted { ($0.at, $0.device) < ($1.at, $1.device) }
  }

  /// What can go wrong with such a device.
  private static func kinds(of manifest: Manifest) -> [FaultStrike.Kind] {
    switch manifest.kind {
    case .sensor: FaultStrike.Kind.allCases
    case .radio: [.loss, .crash]
    case .source: [.stuck, .noisy, .late]
    case .processor: []
    }
  }

  /// SplitMix64: every bit of the state reaches every bit of the number.
  private mutating func below(_ bound: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return bits % max(bound, 1)
  }
}
