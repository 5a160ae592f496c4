import StintModel
import StintUnits

/// A schedule of the position probes for rules that use circular zones.
///
/// A probe is a demand for one fix from an available provider that is not stopped or paused by a rule. The
/// plan chooses the cheapest of these providers that is accurate enough to determine whether the host is
/// inside the needed zones. The next probe begins when the host can have reached the border of a zone. The
/// time until then is the distance to the border, divided by the highest plausible speed of the present
/// activity.
struct PositionProbePlan: Sendable {
  /// The maximum duration of one probe.
  static let timeout = Manifest.probeTimeout
  /// The shortest time between two probes while the activity is unknown. For a known activity, the manifest
  /// specifies the shortest time.
  static let blindPause = TimeSpan.minutes(5)
  /// The longest time between two probes: `any`, or `still` while the host does not move. `still` does not
  /// apply when the host would need more time to reach a border at the highest plausible speed.
  static let longestPause = (still: TimeSpan.minutes(30), any: TimeSpan.hours(24))

  struct Probe: Sendable {
    var demand: DemandID
    /// The index of the provider in `SensorRules.Places.providers`.
    var provider: Int
  }

  /// A zone for which a rule needs to know now whether the host is inside.
  fileprivate struct NeededZone {
    let circle: SensorRules.Circle
    /// The devices with which directives watch the zone.
    var watching: Set<Int> = []
    /// The devices that every condition on the zone excludes from finding the position. Nil when no condition
    /// reads the zone.
    private(set) var barred: Set<Int>?

    /// Adds a condition that reads the zone. This condition excludes `devices` from finding the position.
    mutating func read(barring devices: Set<Int>) { barred = barred?.intersection(devices) ?? devices }

    /// Returns whether a device may find the position for the zone. `present` contains the usable devices.
    func permits(_ device: Int, of present: Set<Int>) -> Bool {
      guard watching.isDisjoint(with: present) else { return watching.contains(device) }
      return barred.map { !$0.contains(device) } ?? false
    }
  }

  private(set) var probe: Probe?
  /// The probe whose demand has ended since the last plan; nil without such a probe.
  private var endedProbe: Probe?
  /// The instant at which the next probe begins; the distant future when none is planned.
  private(set) var nextTimer = Instant.distantFuture
  /// The instant until which the values of zone facts remain valid without another fix.
  private(set) var keptUntil = Instant.epoch
  /// The position from which distances are measured, and the metres that the host can have moved since.
  private var origin: SensingInput.Position?
  private var travelled = 0.0
  /// The last position, whether it replaced `origin` or not.
  private var lastPosition: SensingInput.Position?
  /// The instant at which a probe last found a position, whether it replaced `origin` or not.
  private var lastProbeSuccess = Instant.epoch
  /// The highest plausible speed of the present activity, in metres per second.
  private var speed = 0.0
  /// The instant up to which `travelled` is computed.
  private var travelledUntil = Instant.epoch
  /// True when a zone was added or changed after the last position, so that its facts are unknown.
  private var hasNewZone = false
  /// The history of each provider, by its index in `SensorRules.Places.providers`.
  private var histories: [Int: ProbeHistory] = [:]
  /// The number of consecutive failed probes.
  private var failures = 0
  /// The number of consecutive rounds in which all providers failed.
  private var rounds = 0
  /// The earliest instant of the next round.
  private var retryAt = Instant.epoch

  /// Handles the end of a demand. If the demand belongs to the probe, the next plan records the
  /// result of the probe.
  mutating func ended(_ demand: DemandID) {
    guard let probe, probe.demand == demand else { return }
    self.probe = nil
    endedProbe = probe
  }

  /// Records that the governor raised the demand of a probe.
  mutating func probeBegan(_ demand: DemandID, provider: Int, at now: Instant) {
    probe = Probe(demand: demand, provider: provider)
    histories[provider, default: ProbeHistory()].began(at: now)
  }

  /// Continues with the rules after a reload.
  mutating func migrate(from old: SensorRules.Places?, to new: SensorRules.Places?) {
    if !(new?.zones ?? []).isSubset(of: old?.zones ?? []) { hasNewZone = true }
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
      // When the provider becomes unavailable or a rule stops it, the probe ends and another provider takes
      // over.
      guard !input.isUsable[places.providers[probe.provider].device] else { return }
      end(&changes)
    }
    let due = self.due(zones, input, places)
    guard due <= input.now else {
      // The values of zone facts remain valid until the next probe ends. That probe begins when the host can
      // have reached a border, and takes at most `timeout`. Without a provider no probe corrects the values,
      // so their validity also becomes shorter when the host begins to move.
      let hasProvider = provider(for: zones, input, places) != nil
      if failures == 0 { keptUntil = max(hasProvider ? keptUntil : .epoch, due + Self.timeout) }
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
    addDistance(input, places)
    let wasMoving = isMoving
    speed = places.speed(input.facts, at: input.now)
    if isMoving != wasMoving { forgetUndecided() }
    defer { endedProbe = nil }
    guard let position = input.position, position != lastPosition else {
      if let endedProbe {
        histories[endedProbe.provider]?.failed(at: input.now, origin, travelled: travelled)
        failures += 1
      }
      return
    }
    lastPosition = position
    hasNewZone = false
    failures = 0
    rounds = 0
    retryAt = .epoch
    for provider in histories.keys {
      histories[provider]?.moved(to: position)
      // The demand of a probe can end in the step before the position of the same instant arrives. The probe
      // then counts as failed, although it found the position.
      if places.providers[provider].device == position.device { histories[provider]?.forgetFailures() }
    }
    let probed = (probe ?? endedProbe)?.provider
    if probed != nil { lastProbeSuccess = input.now }
    end(&changes)
    if replacesOrigin(position, zones) {
      origin = position
      travelled = speed * max(.zero, input.now - position.instant).seconds
    }
    let isDecided = margin(zones) > 0
    if let probed, places.providers[probed].device == position.device {
      histories[probed]?.succeeded(decided: isDecided)
    }
    if isDecided { forgetUndecided() }
  }

  /// Adds the distance that the host can have moved since the last plan. For the time after the activity
  /// expired, the highest speed is assumed. The expiry itself causes no plan while no rule needs a position.
  /// So one plan can cover the time before and after the expiry.
  private mutating func addDistance(_ input: SensingInput, _ places: SensorRules.Places) {
    let start = max(travelledUntil, origin?.instant ?? .epoch)
    let end = min(input.now, max(start, places.activityEnd(input.facts)))
    travelled +=
      speed * max(.zero, end - start).seconds + places.fastest * max(.zero, input.now - end).seconds
    travelledUntil = input.now
  }

  private mutating func forgetUndecided() {
    for provider in histories.keys { histories[provider]?.forgetUndecided() }
  }

  /// Returns whether a position replaces `origin`. This is the case when the radius of the position is at
  /// most twice the radius of `origin`, plus the distance travelled. A coarser position replaces it only
  /// if, for every zone, the margin of the position is at least half of the remaining margin. The remaining
  /// margin is the margin of `origin` minus `travelled`.
  private func replacesOrigin(_ position: SensingInput.Position, _ zones: [NeededZone]) -> Bool {
    guard let origin, position.radius > 2 * origin.radius + travelled else { return true }
    let margins = zones.map { ($0.circle.margin(of: position), $0.circle.margin(of: origin) - travelled) }
    return margins.allSatisfy { $0.0 >= $0.1 / 2 }
  }

  /// Returns the needed zones, and the first rule that needs one of them. A zone is needed while its facts
  /// can change a decision, and while a directive watches it.
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
        if let circle = reader.circles[fact] { zones.note(circle) { $0.read(barring: reader.barred) } }
      }
    }
    return (zones, first)
  }

  // MARK: Distances

  /// True when the host may be moving; false when its activity is known and has the speed 0.
  private var isMoving: Bool { speed > 0 }

  /// Returns the least distance, in metres, from the host to a border of the zones. The radius of the
  /// position, and the distance that the host can have moved since then, are subtracted. The result is 0 or
  /// less when the host can be on either side of a border.
  private func margin(_ zones: [NeededZone]) -> Double {
    guard let origin, !hasNewZone else { return 0 }
    return zones.map { $0.circle.margin(of: origin) - travelled }.min() ?? .infinity
  }

  /// Returns the instant at which the next probe begins.
  private func due(_ zones: [NeededZone], _ input: SensingInput, _ places: SensorRules.Places)
    -> Instant
  {
    guard let origin else { return max(retryAt, .epoch) }
    let margin = margin(zones)
    let provider = provider(for: zones, input, places)
    let shortest = provider.map { places.providers[$0].pause } ?? .zero
    let isKnown = places.knowsActivity(input.facts, at: input.now)
    let pause = isKnown ? shortest : max(shortest, Self.blindPause)
    let checked = max(origin.instant, lastProbeSuccess)
    let lastProbe = histories.values.compactMap(\.lastProbe).max() ?? .epoch
    guard margin > 0 else {
      guard let provider else { return max(lastProbe + pause, retryAt) }
      // The last position does not determine whether the host is inside the zones. A more accurate provider
      // can be probed at once.
      let history = histories[provider, default: ProbeHistory()]
      let wait = history.pauseWhileUndecided(pause, isMoving: isMoving, longest: Self.longestPause.still)
      let isFiner = places.providers[provider].accuracy < origin.radius
      return max((history.lastProbe ?? .epoch) + wait, isFiner ? .epoch : checked + wait, retryAt)
    }
    var due = TimeSpan(seconds: margin / max(speed, 1e-3)).map { input.now + $0 } ?? .distantFuture
    if !isMoving {
      // The host can move although its published activity has the speed 0. `timeToBorder` is the time in
      // which it reaches the nearest border at the highest speed.
      let timeToBorder = TimeSpan(seconds: margin / places.fastest) ?? .zero
      due = min(due, checked + max(Self.longestPause.still, timeToBorder))
    }
    due = min(due, checked + Self.longestPause.any)
    return max(due, max(checked, lastProbe) + pause, retryAt)
  }

  /// Returns the cheapest provider that can decide the zones that the host can have reached. If no provider
  /// can decide them, returns the most accurate provider. Before the first position, returns the cheapest
  /// provider. Nil when no provider is usable or every usable provider has failed.
  ///
  /// A zone that directives watch is served by their devices. Other devices take over only if a condition
  /// reads the zone and none of these devices is usable.
  private func provider(
    for zones: [NeededZone], _ input: SensingInput, _ places: SensorRules.Places
  ) -> Int? {
    let reached = origin.map { origin in zones.filter { $0.circle.margin(of: origin) <= travelled } } ?? []
    let zones = reached.isEmpty ? zones : reached
    let working = places.providers.indices.filter {
      input.isUsable[places.providers[$0].device]
        && histories[$0]?.rests(at: input.now, isMoving: isMoving) != true
    }
    let present = Set(working.map { places.providers[$0].device })
    let usable = working.filter { provider in
      zones.contains { $0.permits(places.providers[provider].device, of: present) }
    }
    guard let origin else { return usable.first }
    let decisive = usable.first { provider in
      zones.allSatisfy {
        accuracyToDecide($0.circle, origin, provider) >= places.providers[provider].accuracy
      }
    }
    return decisive ?? usable.min { places.providers[$0].accuracy < places.providers[$1].accuracy }
  }

  /// Returns the 95 % radius, in metres, with which a provider can decide a zone.
  ///
  /// Several fixes together decide a zone for which each of them is too coarse (`PositionTrack`). So a cheap
  /// provider is tried first with up to four times this radius. Another provider takes over when several
  /// fixes of the first provider have not decided.
  private func accuracyToDecide(
    _ circle: SensorRules.Circle, _ origin: SensingInput.Position, _ provider: Int
  ) -> Double {
    let factor = histories[provider]?.isUnableToDecide == true ? 1.0 : 4
    return max(factor * circle.accuracyToDecide, circle.margin(of: origin) - travelled)
  }

  /// Plans a pause after a round in which no provider found a position. All providers are tried again after
  /// the pause.
  private mutating func planRetry(_ input: SensingInput, _ places: SensorRules.Places) {
    guard histories.values.contains(where: \.hasFailed) else { return }
    for provider in histories.keys { histories[provider]?.forgetFailures() }
    retryAt = input.now + ProbeHistory.retry.doubled(rounds)
    rounds += 1
    nextTimer = retryAt
  }
}

extension [PositionProbePlan.NeededZone] {
  /// Changes the zone with this circle. Adds the zone first if it is missing.
  fileprivate mutating func note(
    _ circle: SensorRules.Circle, _ change: (inout PositionProbePlan.NeededZone) -> Void
  ) {
    if let place = firstIndex(where: { $0.circle == circle }) { return change(&self[place]) }
    var zone = PositionProbePlan.NeededZone(circle: circle)
    change(&zone)
    append(zone)
  }
}
