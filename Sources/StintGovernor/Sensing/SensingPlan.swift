import StintMachine
import StintModel
import StintUnits

/// The sensing plan has devices work for the rules that read their facts, while no other demand has them work.
///
/// One demand for each device stands in the name of the first rule, in the order of the policies, that needs a fact of
/// it. A place is looked for instead: by one fix, and the next when the answer is about to be forgotten.
struct SensingPlan: Sendable {
  /// How long one look for a place may take.
  static let patience = TimeSpan.seconds(90)
  /// How long after a look that found nothing comes the next: doubled each time, up to the last.
  static let pauses = TimeSpan.minutes(5)...TimeSpan.hours(1)

  /// What the governor does for the plan.
  enum Change {
    /// Raise a demand for a source of `rules.sources`, in the name of a reader's rule.
    case begin(source: Int, SensorRules.Reader)
    /// End a demand.
    case end(DemandID)
    /// Name another rule of the same policy as the one that reads.
    case rename(DemandID, SensorRules.Reader)
    /// Raise a demand for one fix.
    case probe(SensorRules.Reader)
  }

  /// A demand for a source.
  private struct SensorDemand {
    var demand: DemandID
    /// The device, and the index of the rule in the image; -1 after a reload.
    var device: Int
    var rule: Int
    var policy: String
  }

  private(set) var rules = SensorRules()
  private var sensorDemands: [SensorDemand] = []
  /// The demand of the look that is under way.
  private var probe: DemandID?
  /// When the last look began that has found nothing yet, and how many in a row ended so.
  private var probingSince: Instant?
  private var failures = 0
  /// When the next look may begin at the earliest, by what former ones found.
  private var nextProbe = Instant.epoch
  /// Whether needs may have changed since the last plan.
  private(set) var mustPlan = false
  /// When the next look begins; the distant future for never.
  private(set) var nextTimer = Instant.distantFuture

  /// Whether no rule reads what a device must work for.
  var isEmpty: Bool { rules.isEmpty && sensorDemands.isEmpty && probe == nil }

  /// Whether a demand is the plan's own.
  func isOwn(_ demand: DemandID) -> Bool {
    probe == demand || sensorDemands.contains { $0.demand == demand }
  }

  // MARK: What happened

  /// A fact changed.
  @inline(__always) mutating func note(_ fact: Int) { if rules.watches(fact) { mustPlan = true } }

  /// Something else happened by which a need may change.
  mutating func invalidate() { if !isEmpty { mustPlan = true } }

  /// A demand is over: one of the plan, or of a client or rule.
  mutating func ended(_ demand: DemandID, at now: Instant) {
    guard !isEmpty else { return }
    mustPlan = true
    sensorDemands.removeAll { $0.demand == demand }
    guard probe == demand else { return }
    probe = nil
    failures += 1
    nextProbe = now + min(Self.pauses.upperBound, Self.pauses.lowerBound * Int64(1 << min(failures - 1, 8)))
  }

  // MARK: Planning

  /// Works out what must change so that every rule can read what it needs.
  mutating func plan(_ moment: SensingInput) -> [Change] {
    mustPlan = false
    var changes: [Change] = []
    for entry in sensorDemands where !rules.sources.contains(where: { $0.device == entry.device }) {
      changes.append(.end(entry.demand))
    }
    for (place, source) in rules.sources.enumerated() {
      plan(source, place, moment, &changes)
    }
    planProbe(moment, &changes)
    return changes
  }

  private func plan(
    _ source: SensorRules.Source, _ place: Int, _ moment: SensingInput, _ changes: inout [Change]
  ) {
    let entry = sensorDemands.first { $0.device == source.device }
    // What another demand has it say need not be asked for.
    if moment.servesOthers[source.device] {
      if let entry { changes.append(.end(entry.demand)) }
      return
    }
    if let entry, let reader = source.readers.first(where: { $0.rule == entry.rule }),
      moment.needs(reader, rules)
    {
      return
    }
    let reader = source.readers.first { moment.needs($0, rules) }
    if let entry {
      if let reader, rules.name(of: reader).policy == entry.policy {
        changes.append(.rename(entry.demand, reader))
        return
      }
      changes.append(.end(entry.demand))
    }
    if let reader { changes.append(.begin(source: place, reader)) }
  }

  private mutating func planProbe(_ moment: SensingInput, _ changes: inout [Change]) {
    nextTimer = .distantFuture
    guard let places = rules.places else {
      if let probe { changes.append(.end(probe)) }
      return
    }
    if let probingSince, let fix = moment.lastFix, fix >= probingSince {
      self.probingSince = nil
      failures = 0
      nextProbe = .epoch
    }
    guard !moment.isPositionServed, probe == nil,
      let reader = places.readers.first(where: { moment.needs($0, rules) })
    else { return }
    let due = max(nextProbe, moment.lastFix.map { $0 + ZoneRecord.memory - Self.patience } ?? .epoch)
    if due <= moment.now { changes.append(.probe(reader)) } else { nextTimer = due }
  }

  /// The governor raised a demand for a source.
  mutating func began(_ source: Int, _ reader: SensorRules.Reader, _ demand: DemandID) {
    sensorDemands.append(
      SensorDemand(
        demand: demand, device: rules.sources[source].device, rule: reader.rule,
        policy: rules.name(of: reader).policy))
  }

  /// The governor named another rule as the one that reads.
  mutating func renamed(_ demand: DemandID, _ reader: SensorRules.Reader) {
    for place in sensorDemands.indices where sensorDemands[place].demand == demand {
      sensorDemands[place].rule = reader.rule
    }
  }

  /// The governor raised a demand for one fix.
  mutating func probeBegan(_ demand: DemandID, at now: Instant) {
    probe = demand
    probingSince = now
  }

  // MARK: Reload

  /// Goes over to other rules; demands stand until they are planned.
  mutating func migrate(to rules: SensorRules) {
    self.rules = rules
    for place in sensorDemands.indices { sensorDemands[place].rule = -1 }
    mustPlan = !isEmpty
  }
}

/// What needs are worked out from at a moment.
struct SensingInput {
  let machine: RuleVM?
  let facts: FactTable
  let now: Instant
  /// By device: whether it serves a demand that is not the plan's own, and whether one asks for it.
  let servesOthers: [Bool]
  let isDemandedByOthers: [Bool]
  /// Whether a device that says where the phone is serves a demand that is not the plan's own.
  let isPositionServed: Bool
  /// When a position came last.
  let lastFix: Instant?
  let assumptions: NeedAssumptions

  /// Whether a rule needs what it reads of its source: it can decide something now, and nothing else decides for it.
  func needs(_ reader: SensorRules.Reader, _ rules: SensorRules) -> Bool {
    guard reader.isUnconditional || reader.targets.contains(where: { isDemandedByOthers[$0] }) else {
      return false
    }
    guard !reader.isPerDemand, let machine, let needs = rules.needs else { return reader.isPerDemand }
    var assumptions = assumptions
    assumptions.costly = Set(reader.facts)
    return needs.needs(
      reader.facts, byRule: reader.rule, of: machine, facts, at: now, assuming: assumptions)
  }
}
