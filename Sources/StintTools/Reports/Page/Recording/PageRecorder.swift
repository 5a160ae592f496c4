import StintFormats
import StintGovernor
import StintModel
import StintRuntime
import StintSimulation
import StintUnits

/// Records a simulated run for its report page. The amount of data is bounded for runs of any length.
final class PageRecorder: HostObserver {
  private struct ActiveDemand {
    var demand: Demand
    var grant: Grant?
  }

  private struct Work {
    var devices: [DeviceTrace]
    var rules: [RuleID: (log: LaneLog, since: Instant?)] = [:]
    var inForce: [RuleID] = []
    var wakeCount = 0
    var wakesByDevice: [DeviceID: Int] = [:]
    var causes: CauseTable
    var accounts = EnergyAccounts()
    var activeDemands: [DemandID: ActiveDemand] = [:]
    var wants: [DemandID: DemandSettings] = [:]
    /// For each device with unserved demands, a `Cause` whose links contain these demands. Nil when the
    /// causes must be computed again.
    var refusals: [DeviceID: Cause]? = [:]
    var curve: ThinnedLog<RunTimeline.CurvePoint>
    var battery: Double?
  }

  private let start: Instant
  private let limits: PageLimits
  private let manifests: [Manifest]
  private let places: [DeviceID: Int]
  private let batteryFact: Int?
  private let work: Locked<Work>

  init(vocabulary: Vocabulary, start: Instant, limits: PageLimits) {
    self.start = start
    self.limits = limits
    manifests = vocabulary.manifests
    places = Dictionary(
      uniqueKeysWithValues: vocabulary.manifests.enumerated().map { ($1.device, $0) })
    batteryFact = vocabulary.fact("battery.level")
    work = Locked(
      Work(
        devices: vocabulary.manifests.enumerated().map {
          DeviceTrace($1, place: $0, at: start, limits: limits)
        },
        causes: CauseTable(limit: limits.causes),
        curve: ThinnedLog(limit: limits.points)))
  }

  // MARK: Observation

  func raised(_ demand: Demand, at instant: Instant) {
    work.withLock { work in
      work.activeDemands[demand.id] = ActiveDemand(demand: demand)
      work.wants[demand.id] = demand.wants
    }
  }

  func granted(_ grant: Grant, to demand: Demand, in governor: borrowing Governor, at instant: Instant) {
    work.withLock { work in
      work.activeDemands[demand.id] = ActiveDemand(demand: demand, grant: grant)
      work.wants[demand.id] = demand.wants
      work.refusals = nil
    }
  }

  func released(_ demand: Demand, at instant: Instant) {
    work.withLock { work in
      work.activeDemands[demand.id] = nil
      work.refusals = nil
    }
  }

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    guard let place = places[batch.device], batch.device.path.hasPrefix("location.") else { return }
    work.withLock { $0.devices[place].ingest(batch, at: instant) }
  }

  func reported(_ outcome: Outcome, of manifest: Manifest, at instant: Instant) {
    guard case .event(let event, let count) = outcome, manifest.events.indices.contains(event),
      let place = places[manifest.device]
    else { return }
    work.withLock { $0.devices[place].waiting.append(DeviceTrace.Waiting(event: event, count: count)) }
  }

  func acted(_ act: Act, by rule: RuleID, at instant: Instant) {
    let limit = limits.spans
    work.withLock { work in
      var lane = work.rules[rule] ?? (LaneLog(limit: limit), nil)
      // While a rule is in force, it has a span, so its action needs no further span.
      if lane.since == nil, lane.log.spans.last.map({ $0.end <= instant }) ?? true {
        lane.log.append(LaneSpan(start: instant, end: instant))
      }
      work.rules[rule] = lane
    }
  }

  let observesIdle = true

  func becameIdle(_ governor: borrowing Governor, at instant: Instant) {
    let inForce = governor.rulesInForce
    let limit = limits.spans
    work.withLock { work in
      if inForce != work.inForce { Self.updateRulesInForce(&work, inForce, at: instant, limit: limit) }
      Self.noteWakes(&work, governor, at: instant)
      let refusals = Self.refusals(&work)
      for place in work.devices.indices {
        Self.updateDevice(&work, governor, device: place, refusal: refusals, at: instant)
      }
      if work.wants.count > 2 * work.activeDemands.count + 64 {
        work.wants = work.activeDemands.mapValues { $0.demand.wants }
      }
    }
  }

  func settled(_ governor: borrowing Governor, at instant: Instant) {
    let spent = governor.spent(at: instant)
    var battery: Double?
    if let fact = batteryFact, case .number(let level) = governor.facts.value(fact) { battery = level }
    work.withLock { work in
      work.battery = battery ?? work.battery
      work.curve.append(RunTimeline.CurvePoint(instant: instant, spent: spent, battery: work.battery))
    }
  }

  // MARK: Recording

  private static func updateRulesInForce(
    _ work: inout Work, _ inForce: [RuleID], at instant: Instant, limit: Int
  ) {
    for rule in work.inForce where !inForce.contains(rule) {
      guard let since = work.rules[rule]?.since else { continue }
      work.rules[rule]?.log.append(LaneSpan(start: since, end: instant))
      work.rules[rule]?.since = nil
    }
    for rule in inForce where !work.inForce.contains(rule) {
      work.rules[rule, default: (LaneLog(limit: limit), nil)].since = instant
    }
    work.inForce = inForce
  }

  private static func noteWakes(_ work: inout Work, _ governor: borrowing Governor, at instant: Instant) {
    let count = governor.wakes - work.wakeCount
    guard count > 0 else { return }
    work.wakeCount = governor.wakes
    let byDevice = governor.wakesByDevice
    for place in work.devices.indices {
      let device = work.devices[place].manifest.device
      let more = byDevice[device, default: 0] - work.wakesByDevice[device, default: 0]
      if more > 0 {
        work.devices[place].wakes.append(LaneSpan(start: instant, end: instant, count: more))
      }
    }
    work.wakesByDevice = byDevice
  }

  private static func updateDevice(
    _ work: inout Work, _ governor: borrowing Governor, device place: Int, refusal: [DeviceID: Cause],
    at instant: Instant
  ) {
    let draw = governor.draw(ofDevice: place)
    if draw != work.devices[place].draw || work.devices[place].refusal != refusal[work.devices[place].id] {
      work.devices[place].close(at: instant, &work.accounts, work.causes)
      work.devices[place].draw = draw
      work.devices[place].refusal = refusal[work.devices[place].id]
      work.devices[place].cause = work.causes.number(
        of: draw.cause ?? work.devices[place].refusal, wants: work.wants)
    }
    if !work.devices[place].waiting.isEmpty {
      let cause = work.causes.number(of: governor.eventCause(ofDevice: place), wants: work.wants)
      work.devices[place].flush(at: instant, cause: cause, &work.accounts, work.causes)
    }
  }

  /// Returns a cause for each device with unserved demands. The links of the cause are these demands with
  /// their grants.
  private static func refusals(_ work: inout Work) -> [DeviceID: Cause] {
    if let refusals = work.refusals { return refusals }
    var refusals: [DeviceID: Cause] = [:]
    for (id, active) in work.activeDemands.sorted(by: { $0.key < $1.key }) {
      guard let grant = active.grant, grant.status != .served else { continue }
      let device = active.demand.target
      var cause = refusals[device] ?? Cause(device: device, links: [], setting: .off)
      // Several demands of one client with an equal grant are listed once.
      if !cause.links.contains(where: { $0.client == active.demand.client && $0.grant == grant }) {
        cause.links.append(
          Cause.Link(client: active.demand.client, demand: id, rules: grant.rules, grant: grant))
      }
      refusals[device] = cause
    }
    work.refusals = refusals
    return refusals
  }

  // MARK: Results

  /// Returns the timeline of the run up to `end`.
  func timeline(
    until end: Instant, spent: Energy, notes: [RuleID: String], world: (any WorldSource)?,
    timeZone: TimeZoneRules
  ) throws(Problem) -> RunTimeline {
    var timeline = work.withLock { work in
      for place in work.devices.indices { work.devices[place].close(at: end, &work.accounts, work.causes) }
      Self.updateRulesInForce(&work, [], at: end, limit: limits.spans)
      work.curve.append(RunTimeline.CurvePoint(instant: end, spent: spent, battery: work.battery))
      var rules = work.rules.mapValues(\.log)
      for rule in notes.keys where rules[rule] == nil { rules[rule] = LaneLog(limit: 1) }
      return RunTimeline(
        start: start, end: end, timeZone: timeZone, devices: work.devices.map { $0.lane() },
        rules: rules.sorted { $0.key < $1.key }.map { rule, log in
          RunTimeline.RuleLane(rule: rule, note: notes[rule] ?? "", log: log.finished)
        },
        curve: work.curve.values, causes: work.causes,
        accounts: work.accounts.sorted)
    }
    try timeline.comparePositions(world, limit: limits.points)
    return timeline
  }
}
