import StintModel
import StintUnits

/// Draws random faults of the phone's devices, of its disk and of its memory. Faults may overlap.
struct FaultSwarm {
  private var random: SwarmRandom

  init(seed: UInt64) { random = SwarmRandom(seed: seed) }

  /// Returns the faults of one run in order of time. All faults end before the last tenth of the run, in
  /// which all devices must work again.
  mutating func faults(on manifests: [Manifest], within duration: TimeSpan) -> [InjectedFault] {
    let candidates = manifests.filter { !Self.kinds(of: $0).isEmpty }
    guard !candidates.isEmpty, duration.nanoseconds > 10 else { return [] }
    let end = duration.nanoseconds / 10 * 9
    var faults: [InjectedFault] = []
    for _ in 0..<(3 + random.below(10)) {
      let manifest = candidates[Int(random.below(UInt64(candidates.count)))]
      let kinds = Self.kinds(of: manifest)
      let at = Int64(random.below(UInt64(end)))
      let longest = min(end - at, duration.nanoseconds / 8)
      faults.append(
        InjectedFault(
          device: manifest.device, at: TimeSpan(nanoseconds: at),
          duration: TimeSpan(nanoseconds: 1 + Int64(random.below(UInt64(longest)))),
          kind: kinds[Int(random.below(UInt64(kinds.count)))],
          delay: .seconds(Int64(1 + random.below(120)))))
    }
    for kind in [InjectedFault.Kind.disk, .memory] where random.once(in: 3) {
      let at = Int64(random.below(UInt64(end)))
      let longest = min(end - at, duration.nanoseconds / 10)
      faults.append(
        InjectedFault(
          device: InjectedFault.phone, at: TimeSpan(nanoseconds: at),
          duration: TimeSpan(nanoseconds: 1 + Int64(random.below(UInt64(longest)))), kind: kind))
    }
    return faults.sorted { ($0.at, $0.device) < ($1.at, $1.device) }
  }

  private static func kinds(of manifest: Manifest) -> [InjectedFault.Kind] {
    switch manifest.kind {
    case .sensor: InjectedFault.Kind.ofDevices
    case .radio: [.loss, .crash]
    case .source: [.stuck, .noisy, .late]
    case .processor: []
    }
  }
}
