import StintModel
import StintUnits

/// A schedule of the position probes for rules that use circular zones.
///
/// A probe is a demand for one fix from an available provider that no rule stops or pauses. The plan chooses
/// the cheapest of these providers that is accurate enough to determine whether the phone is inside the
/// needed zones. The next probe begins when the phone can have reached the border of a zone. The time until
/// then is the distance to the border, divided by the highest plausible speed of the present activity.
struct PositionProbePlan: Sendable {
  /// The maximum duration of one probe.
  static let patience = Manifest.probePatience
  /// The shortest time between two probes while the activity is unknown. For a known activity, the manifest
  /// specifies the shortest time.
  static let blindPause = TimeSpan.minutes(5)
  /// The longest time between two probes. `any` applies always. `still` applies while the phone does not
  /// move, unless the phone would need more time than `still` to reach a border at the highest plausible
  /// speed.
  static let longestPause = (still: TimeSpan.minutes(30), any: TimeSpan.hours(24))
  /// The pause after all providers have failed to find a position. It starts at the lower bound and doubles
  /// up to the upper bound.
  static let retries = TimeSpan.minutes(5)...TimeSpan.hours(1)

  /// A probe in progress.
  struct Probe: Sendable {
    var demand: DemandID
    /// The index of the provider in `SensorRules.Places.providers`.
    var provider: Int
  }

  /// A zone for which a rule needs to know now whether the phone is inside.
  fileprivate struct NeededZone {
    let circle: SensorRules.Circle
    /// The devices with which directives watch the zone.
    var watching: Set<Int> = []
    /// True when a condition reads the zone. Then any device may find the position.
    var isRead = false

    /// Returns whether a device may find the position for the zone. `present` contains the usable devices.
    func permits(_ device: Int, of present: Set<Int>) -> Bool {
      watching.isDisjoint(with: present) ? isRead : watching.contains(device)
    }
  }

  private(set) var probe: Probe?
  /// The instant at which the next probe begins; the distant future when none is planned.
  private(set) var nextTimer = Instant.distantFuture
  /// The instant until which the values of zone facts remain valid without another fix.
  private(set) var keptUntil = Instant.epoch
  /// The position from which distances are measured, and the metres that the phone can have moved since.
  private var origin: SensingInput.Position?
  private var travelled = 0.0
  /// The instant of the last position, whether it replaced `origin` or not.
  private var lastPositionAt = Instant.epoch
  /// The instant at which a probe last found a position, whether it replaced `origin` or not.
  private var lastProbeSuccess = Instant.epoch
  /// The highest plausible speed of the present activity, in metres per second.
  private var speed = 0.0
  /// The instant up to which `travelled` is computed.
  private var travelledUntil = Instant.epoch
  /// For each provider: when its last probe began.
  private var lastProbes: [Int: Instant] = [:]
  /// The number of consecutive failed probes, the providers that failed, and the earliest instant of a retry.
  private var failures = 0
  private var failedProviders: Set<Int> = []
  private var retryAt = Instant.epoch

  /// Handles the end of a demand. When the demand of the present probe ends here, no position has arrived, so
  /// the probe has failed.
  mutating func ended(_ demand: DemandID, at now: Instant) {
    guard let probe, probe.demand == demand else { return }
    self.probe = nil
    failedProviders.insert(probe.provider)
    failures += 1
  }

  /// Records that the governor raised the demand of a probe.
  mutating func probeBegan(_ demand: DemandID, provider: Int, at now: Instant) {
    probe = Probe(demand: demand, provider: provider)
    lastProbes[provider] = now
  }

  // MARK: Planning

  /// Ends a probe that is no longer useful, and begins the next probe at its planned instant.
  mutating func plan(
    _ input: SensingInput, _ rules: SensorRules, _ changes: inout [SensingPlan.Change]
  ) {
    nextTimer = .distantFuture
    guard let places = rules.places else {
      end(&changes)
      return
    }
    let (zones, reader) = neededZones(input, rules, places)
    follow(input, places, zones, &changes)
    guard let reader else {
      end(&changes)
      return
    }
    if let probe {
      // When the provider disappears or a rule stops it, the probe ends and another provider takes over.
      guard !input.isUsable[places.providers[probe.provider].device] else { return }
      failedProviders.insert(probe.provider)
      end(&changes)
    }
    let due = self.due(zones, input, places)
    guard due <= input.now else {
      // The values of zone facts remain valid until the next probe ends. That probe begins when the phone can
      // have reached a border, and takes at most `patience`.
      if failures == 0 { keptUntil = max(keptUntil, due + Self.patience) }
      nextTimer = due
      return
    }
    guard let provider = provider(for: zones, input, places) else {
      planRetry(input, places)
      return
    }
    changes.append(.probe(provider: provider, reader))
  }

  private mutating func end(_ changes: inout [SensingPlan.Change]) {
    if let probe { changes.append(.end(probe.demand)) }
    probe = nil
  }

  /// Adds the distance moved since the last plan, or restarts from a new position.
  private mutating func follow(
    _ input: SensingInput, _ places: SensorRules.Places, _ zones: [NeededZone],
    _ changes: inout [SensingPlan.Change]
  ) {
    let elapsed = max(.zero, input.now - max(travelledUntil, origin?.instant ?? .epoch))
    travelled += speed * elapsed.seconds
    travelledUntil = input.now
    speed = places.speed(input.facts, at: input.now)
    guard let position = input.position, position.instant > lastPositionAt else { return }
    lastPositionAt = position.instant
    failures = 0
    failedProviders = []
    retryAt = .epoch
    if probe != nil { lastProbeSuccess = input.now }
    end(&changes)
    guard replacesOrigin(position, zones) else { return }
    origin = position
    travelled = speed * max(.zero, input.now - position.instant).seconds
  }

  /// Returns whether a position replaces `origin`. A position replaces it when its radius is at most twice
  /// the radius of `origin`, plus the distance travelled. A coarser position replaces it only if, for every
  /// zone, the margin of the position is at least half of the remaining margin. The remaining margin is the
  /// margin of `origin` minus `travelled`.
  private func replacesOrigin(_ position: SensingInput.Position, _ zones: [NeededZone]) -> Bool {
    guard let origin, position.radius > 2 * origin.radius + travelled else { return true }
    let margins = zones.map { ($0.circle.margin(of: position), $0.circle.margin(of: origin) - travelled) }
    return margins.allSatisfy { $0.0 >= $0.1 / 2 }
  }

  /// Returns the zones whose facts can change a decision now or that a directive watches, and the first rule
  /// that needs such a zone.
  private func neededZones(
    _ input: SensingInput, _ rules: SensorRules, _ places: SensorRules.Places
  ) -> (zones: [NeededZone], reader: SensorRules.Reader?) {
    var zones: [NeededZone] = []
    var first: SensorRules.Reader?
    for reader in places.readers where input.needs(reader, rules) {
      if first == nil { first = reader }
      if let watch = reader.watch { zones.note(watch.circle) { $0.watching.formUnion(watch.devices) } }
      let facts = reader.isPerDemand ? Set(reader.facts) : input.readings(reader, rules)
      for fact in reader.facts where facts.contains(fact) {
        if let circle = places.circles[fact] { zones.note(circle) { $0.isRead = true } }
      }
    }
    return (zones, first)
  }

  // MARK: Distances

  /// Returns the instant at which the next probe begins.
  private func due(_ zones: [NeededZone], _ input: SensingInput, _ places: SensorRules.Places)
    -> Instant
  {
    guard let origin else { return max(retryAt, .epoch) }
    let margin = zones.map { $0.circle.margin(of: origin) - travelled }.min() ?? 0
    let isKnown = places.knowsActivity(input.facts, at: input.now)
    let provider = provider(for: zones, input, places)
    let shortest = provider.map { places.providers[$0].pause } ?? .zero
    let pause = isKnown ? shortest : max(shortest, Self.blindPause)
    var due = input.now
    if margin > 0 {
      due = TimeSpan(seconds: margin / max(speed, 1e-3)).map { input.now + $0 } ?? .distantFuture
    } else if let provider, isFiner(provider, input.now, pause, places) {
      // The last position does not determine whether the phone is inside the zones. A more accurate provider
      // can be probed at once.
      return max(due, retryAt)
    } else if travelled < 1, speed == 0 {
      due = .distantFuture
    }
    let checked = max(origin.instant, lastProbeSuccess)
    if speed == 0 {
      // The phone can move although its published activity has the speed 0. `timeToBorder` is the time in
      // which it reaches the nearest border at the highest speed.
      let timeToBorder = TimeSpan(seconds: max(margin, 0) / places.fastest) ?? .zero
      due = min(due, checked + max(Self.longestPause.still, timeToBorder))
    }
    due = min(due, checked + Self.longestPause.any)
    return max(due, max(checked, lastProbes.values.max() ?? .epoch) + pause, retryAt)
  }

  /// Returns the cheapest provider that is accurate enough for the zones that the phone can have reached, or
  /// else the most accurate provider. Before the first position, returns the cheapest provider. Nil when no
  /// provider is usable or every usable provider has failed.
  ///
  /// A zone that directives watch is served by their devices. Other devices take over only if a condition
  /// reads the zone and none of these devices is usable.
  private func provider(
    for zones: [NeededZone], _ input: SensingInput, _ places: SensorRules.Places
  ) -> Int? {
    let reached = origin.map { origin in zones.filter { $0.circle.margin(of: origin) <= travelled } } ?? []
    let zones = reached.isEmpty ? zones : reached
    let working = places.providers.indices.filter {
      input.isUsable[places.providers[$0].device] && !failedProviders.contains($0)
    }
    let present = Set(working.map { places.providers[$0].device })
    let usable = working.filter { provider in
      zones.contains { $0.permits(places.providers[provider].device, of: present) }
    }
    guard let origin else { return usable.first }
    let wanted = zones.map { zone in
      max(zone.circle.accuracyToDecide, zone.circle.margin(of: origin) - travelled)
    }.min()
    // When no provider is accurate enough, use the most accurate one.
    return usable.first { places.providers[$0].accuracy <= wanted ?? .infinity }
      ?? usable.min { places.providers[$0].accuracy < places.providers[$1].accuracy }
  }

  /// Returns whether a provider is more accurate than `origin`, and its last probe began at least `pause`
  /// ago.
  private func isFiner(
    _ provider: Int, _ now: Instant, _ pause: TimeSpan, _ places: SensorRules.Places
  ) -> Bool {
    let accuracy = places.providers[provider].accuracy
    guard accuracy < origin?.radius ?? .infinity else { return false }
    return lastProbes[provider].map { $0 + pause <= now } ?? true
  }

  /// Plans a pause after a round in which no provider found a position. All providers are tried again after
  /// the pause.
  private mutating func planRetry(_ input: SensingInput, _ places: SensorRules.Places) {
    guard !failedProviders.isEmpty else { return }
    failedProviders = []
    let exponent = max(0, failures / max(places.providers.count, 1) - 1)
    retryAt = input.now + min(Self.retries.upperBound, Self.retries.lowerBound * Int64(1 << min(exponent, 8)))
    nextTimer = retryAt
  }
}

extension [PositionProbePlan.NeededZone] {
  /// Changes the zone with this circle, which is added if it is missing.
  fileprivate mutating func note(
    _ circle: SensorRules.Circle, _ change: (inout PositionProbePlan.NeededZone) -> Void
  ) {
    if let place = firstIndex(where: { $0.circle == circle }) { return change(&self[place]) }
    var zone = PositionProbePlan.NeededZone(circle: circle)
    change(&zone)
    append(zone)
  }
}
