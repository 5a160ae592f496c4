import StintModel
import StintUnits

/// One kind of beacon with whether it is in range.
struct BeaconWatch: Sendable {
  let region: BeaconRegion
  let fact: String
  private(set) var crossing: Crossing
  private var told: Bool?

  init(_ region: BeaconRegion) {
    self.region = region
    fact = region.fact
    crossing = Crossing(enterAfter: .zero, exitAfter: region.exitAfter, memory: .unlimited)
  }

  mutating func take(isHeard: Bool, at instant: Instant) { crossing.propose(isHeard, at: instant) }

  mutating func settle(at instant: Instant) { crossing.settle(at: instant) }

  /// Forgets the state, because no scanner listens any more.
  mutating func lose() { crossing.forget() }

  /// Takes the notice to deliver now; nil when there is none.
  mutating func notice() -> BeaconNotice? {
    let pulse = crossing.pulse
    crossing.endPulse()
    if let pulse {
      told = crossing.isInside
      return pulse == .enter ? .entered(region.name) : .exited(region.name)
    }
    guard crossing.isInside != told else { return nil }
    told = crossing.isInside
    return told.map { .known(region: region.name, isInside: $0) } ?? .unknown(region.name)
  }

  var memory: MemoryValue {
    var parts: [String: MemoryValue] = [
      "name": .text(region.name), "identity": .text(region.identity),
      "exit_after": .integer(region.exitAfter.nanoseconds),
    ]
    if let major = region.major { parts["major"] = .integer(Int64(major)) }
    if let minor = region.minor { parts["minor"] = .integer(Int64(minor)) }
    return .record(parts)
  }

  init?(memory: MemoryValue) {
    guard let name = memory["name"]?.text, let identity = memory["identity"]?.text,
      let exitAfter = memory["exit_after"]?.integer
    else { return nil }
    let region = BeaconRegion(
      name, identity: identity, major: memory["major"]?.integer.map { Int(clamping: $0) },
      minor: memory["minor"]?.integer.map { Int(clamping: $0) },
      exitAfter: TimeSpan(nanoseconds: exitAfter))
    guard region.objection == nil else { return nil }
    self.init(region)
  }
}
