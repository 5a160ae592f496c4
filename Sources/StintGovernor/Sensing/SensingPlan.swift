import StintMachine
import StintModel
import StintUnits

/// The sensing plan switches sensors on for the rules that read their facts.
///
/// Here a reading is an ordinary demand. It is merged with the demands of clients, limited by policies, and
/// charged to a rule. The demand begins when a rule needs the reading. It is charged to the first such rule
/// in the order of the policies, until this rule no longer needs the reading. Then the first rule that still
/// needs the reading is charged. If this rule is of the same policy, the demand continues; otherwise a new
/// demand replaces it. The plan does not depend on the demands that clients have on the same sensor, except
/// through conditions that test the sensor itself.
struct SensingPlan: Sendable {
  /// An action that the governor performs for the plan.
  enum Change {
    /// Raise a demand for a source of `rules.sources`, charged to a reader's rule.
    case begin(source: Int, SensorRules.Reader, period: TimeSpan?)
    /// End a demand.
    case end(DemandID)
    /// Charge a demand to another rule of the same policy.
    case rename(DemandID, SensorRules.Reader)
    /// Raise a demand for one fix of a provider of `rules.places`.
    case probe(provider: Int, SensorRules.Reader)
  }

  /// A demand for a source.
  private struct SensorDemand {
    var demand: DemandID
    /// The device and the period of the source, by which a reload finds this demand again.
    var device: Int
    var period: TimeSpan?
    var periods: SensorRules.PeriodRange?
    /// The requested period of the demand; nil for the default period of the sensor.
    var wanted: TimeSpan?
    /// The index of the rule in the image; -1 after a reload without this rule.
    var rule: Int
    var name: RuleID

    func serves(_ source: SensorRules.Source) -> Bool {
      device == source.device && period == source.wants.period && periods == source.periods
    }
  }

  private(set) var rules = SensorRules()
  private var sensorDemands: [SensorDemand] = []
  private(set) var places = PositionProbePlan()
  /// For each directive that may delay transfers as soon as a reading has its first value: how long a
  /// transfer waits for this value. The keys are indexes in the image.
  private(set) var awaited: [Int: TimeSpan] = [:]
  /// True when needs may have changed since the last plan.
  private(set) var mustPlan = false

  /// The instant at which the next position probe begins; the distant future when none is planned.
  var nextTimer: Instant { places.nextTimer }

  /// True when no rule reads a fact for which a sensor must work, and no demand of the plan exists.
  var isEmpty: Bool { rules.isEmpty && sensorDemands.isEmpty && places.probe == nil }

  /// Returns whether the plan raised a demand.
  func isOwn(_ demand: DemandID) -> Bool {
    places.probe?.demand == demand || sensorDemands.contains { $0.demand == demand }
  }

  /// Returns whether a demand reads facts of a source; false for position probes.
  func isReading(_ demand: DemandID) -> Bool { sensorDemands.contains { $0.demand == demand } }

  /// Returns the demand for a source; nil when no rule needs the source.
  func demand(for source: SensorRules.Source) -> DemandID? {
    sensorDemands.first { $0.serves(source) }?.demand
  }

  // MARK: Events

  /// Records that a fact changed.
  @inline(__always) mutating func note(_ fact: Int) { if rules.watches(fact) { mustPlan = true } }

  /// Records an event, other than a changed fact, that can change a need.
  mutating func invalidate() { if !isEmpty { mustPlan = true } }

  /// Handles the end of a demand, which the plan, a client or a rule raised.
  mutating func ended(_ demand: DemandID) {
    guard !isEmpty else { return }
    mustPlan = true
    sensorDemands.removeAll { $0.demand == demand }
    places.ended(demand)
  }

  // MARK: Planning

  /// Computes the changes that give every rule the facts that it needs.
  mutating func plan(_ input: SensingInput) -> [Change] {
    mustPlan = false
    var changes: [Change] = []
    for entry in sensorDemands where !rules.sources.contains(where: { entry.serves($0) }) {
      changes.append(.end(entry.demand))
    }
    for (index, source) in rules.sources.enumerated() { plan(source, index, input, &changes) }
    places.plan(input, rules, &changes)
    planWaits(input)
    return changes
  }

  /// Determines the directives whose rules wait for the first value of a reading.
  private mutating func planWaits(_ input: SensingInput) {
    awaited.removeAll(keepingCapacity: true)
    for source in rules.sources {
      guard let wait = source.firstValueWait, input.isUsable[source.device] else { continue }
      for reader in source.readers where !reader.delaying.isEmpty && input.awaitsValue(reader, rules) {
        for directive in reader.delaying { awaited[directive] = max(wait, awaited[directive] ?? .zero) }
      }
    }
  }

  private func plan(
    _ source: SensorRules.Source, _ index: Int, _ input: SensingInput, _ changes: inout [Change]
  ) {
    let entry = sensorDemands.first { $0.serves(source) }
    let period = input.period(of: source, after: entry?.wanted, rules)
    if let entry,
      let reader = source.readers.first(where: { $0.rule == entry.rule && input.needs($0, rules) })
    {
      guard period != entry.wanted else { return }
      changes += [.end(entry.demand), .begin(source: index, reader, period: period)]
      return
    }
    let reader = source.readers.first { input.needs($0, rules) }
    if let entry {
      if let reader, rules.name(of: reader).policy == entry.name.policy {
        changes.append(.rename(entry.demand, reader))
        return
      }
      changes.append(.end(entry.demand))
    }
    if let reader { changes.append(.begin(source: index, reader, period: period)) }
  }

  /// Records that the governor raised a demand for a source.
  mutating func began(
    _ source: Int, _ reader: SensorRules.Reader, _ demand: DemandID, every period: TimeSpan?
  ) {
    let source = rules.sources[source]
    sensorDemands.append(
      SensorDemand(
        demand: demand, device: source.device, period: source.wants.period, periods: source.periods,
        wanted: period, rule: reader.rule, name: rules.name(of: reader)))
  }

  /// Returns the period that is now demanded for a source; nil for the default period of the sensor.
  func period(of source: SensorRules.Source) -> TimeSpan? {
    sensorDemands.first { $0.serves(source) }?.wanted ?? source.wants.period
  }

  /// Records that the governor charges a demand to another rule.
  mutating func renamed(_ demand: DemandID, _ reader: SensorRules.Reader) {
    for index in sensorDemands.indices where sensorDemands[index].demand == demand {
      sensorDemands[index].rule = reader.rule
      sensorDemands[index].name = rules.name(of: reader)
    }
  }

  /// Records that the governor raised a demand for one fix.
  mutating func probeBegan(_ demand: DemandID, provider: Int, at now: Instant) {
    places.probeBegan(demand, provider: provider, at: now)
  }

  // MARK: Reload

  /// Replaces the rules. Demands remain until the next plan.
  ///
  /// - Parameter isUnchanged: true when the image of the rules has not changed. Then the reload does not
  ///   request a new plan.
  mutating func migrate(to rules: SensorRules, isUnchanged: Bool = false) {
    places.migrate(from: self.rules.places, to: rules.places)
    self.rules = rules
    if !isUnchanged { awaited = [:] }
    for index in sensorDemands.indices {
      // A rule of the same name continues the reading, so a reload without a change has no effect.
      let entry = sensorDemands[index]
      let readers = rules.sources.filter { entry.serves($0) }.flatMap(\.readers)
      sensorDemands[index].rule = readers.first { rules.name(of: $0) == entry.name }?.rule ?? -1
    }
    if !isUnchanged { mustPlan = !isEmpty }
  }
}

/// The state of the governor from which readings are planned.
struct SensingInput {
  /// A position with its 95 % radius in metres.
  struct Position: Hashable {
    var place: Coordinate
    var radius: Double
    var instant: Instant
    /// The index of the device that published the position; nil when it is not known.
    var device: Int?
  }

  let machine: RuleVM?
  let facts: FactTable
  let now: Instant
  /// For each device: true when a demand exists on it that the plan did not raise.
  let isDemandedByOthers: [Bool]
  /// For each device: true when it is available and is not stopped or paused by a rule.
  let isUsable: [Bool]
  /// The last position that any device published; nil before the first position.
  let position: Position?
  let assumptions: NeedAssumptions

  /// Returns the facts that a rule must read now, by their indexes in the image. Empty when the rule can have
  /// no effect now.
  ///
  /// The result is empty for per-demand rules, whose conditions are in another image.
  func readings(_ reader: SensorRules.Reader, _ rules: SensorRules) -> Set<Int> {
    guard canHaveEffect(reader, rules) else { return [] }
    guard !reader.isPerDemand, let machine, let needs = rules.needs else { return [] }
    let unread = needs.readings(
      byRule: reader.rule, of: machine, facts, at: now, assuming: assumptions(for: reader),
      prices: rules.prices)
    let whileRead = assumptionsWhileRead(for: reader)
    guard !whileRead.isEmpty, !unread.isDisjoint(with: reader.facts) else { return unread }
    // A value has an effect only if it can change the result both before and after the reading has begun.
    return unread.intersection(
      whileRead.flatMap { assumptions in
        needs.readings(
          byRule: reader.rule, of: machine, facts, at: now, assuming: assumptions, prices: rules.prices)
      })
  }

  /// Returns the assumptions that can hold while the sensor of a rule works. If the rule tests the state of
  /// the sensor, there is one set of assumptions for each possible state. Empty when no test of the rule
  /// depends on whether the sensor works.
  func assumptionsWhileRead(for reader: SensorRules.Reader) -> [NeedAssumptions] {
    guard
      !reader.testedWhenRead.isEmpty || !reader.onFacts.isEmpty || reader.stateFact != nil
        || reader.testedDemand != nil
    else { return [] }
    var own = assumptions(for: reader)
    own.unread.subtract(reader.testedWhenRead)
    own.read = reader.testedWhenRead
    for on in reader.onFacts {
      own.read.insert(on)
      own.values[on] = 1
    }
    if let device = reader.testedDemand { own.demanded.insert(device) }
    guard let fact = reader.stateFact, !reader.workingStates.isEmpty else { return [own] }
    own.read.insert(fact)
    return reader.workingStates.map { state in
      var one = own
      one.values[fact] = Double(state)
      return one
    }
  }

  /// Returns the assumptions under which the needs of a rule are determined.
  func assumptions(for reader: SensorRules.Reader) -> NeedAssumptions {
    var own = assumptions
    own.unread.formUnion(reader.observed)
    own.changedByReading = reader.changedByReading
    if let device = reader.testedDemand { own.demandedByReading = device }
    return own
  }

  /// Returns whether a rule can have an effect now. This is the case in three situations:
  ///
  /// - The rule needs no demand for its effect.
  /// - One of its targets has a demand that the plan did not raise.
  /// - Another rule reads one of its `limitedProviders`.
  func canHaveEffect(_ reader: SensorRules.Reader, _ rules: SensorRules) -> Bool {
    isDemanded(reader) || isRead(reader.limitedProviders, besides: reader.rule, rules)
  }

  /// Returns whether a rule can have an effect without the readings of other rules.
  private func isDemanded(_ reader: SensorRules.Reader) -> Bool {
    reader.isUnconditional || reader.targets.contains { isDemandedByOthers[$0] }
  }

  /// Returns whether another rule reads one of these devices. A rule that has an effect only because of other
  /// readings does not count. Otherwise two readings could be the only reason for each other.
  private func isRead(_ devices: Set<Int>, besides rule: Int, _ rules: SensorRules) -> Bool {
    guard !devices.isEmpty else { return false }
    return rules.sources.contains { source in
      devices.contains(source.device)
        && source.readers.contains { $0.rule != rule && isDemanded($0) && needs($0, rules) }
    }
  }

  /// Returns whether a rule that may come into force needs a fact of its source that is still unknown. Zones
  /// do not count: the source of a reader of zones publishes only the activity, which does not decide zones.
  func awaitsValue(_ reader: SensorRules.Reader, _ rules: SensorRules) -> Bool {
    guard let needs = rules.needs, let machine, needs.canHold(reader.rule, machine, facts, at: now) else {
      return false
    }
    return readings(reader, rules).contains { fact in
      reader.facts.contains(fact) && reader.circles[fact] == nil && !needs.isKnown(fact, facts, at: now)
    }
  }

  /// Returns whether a rule needs its source now. This is the case when the rule can have an effect, and a
  /// fact of the source can change the result of the rule.
  ///
  /// A per-demand rule needs its source whenever the rule can have an effect. A rule that watches a zone
  /// needs its source while its directive is in force.
  func needs(_ reader: SensorRules.Reader, _ rules: SensorRules) -> Bool {
    if let watch = reader.watch { return machine?.isInForce(directive: watch.directive) ?? false }
    if reader.isPerDemand { return canHaveEffect(reader, rules) }
    return !readings(reader, rules).isDisjoint(with: reader.facts)
  }
}

extension SensingInput {
  /// Returns the period of a source; nil for the default period of the sensor.
  ///
  /// If the source has a range of periods, the result is the shortest period of the range, doubled as often
  /// as possible. Within this period, no value can reach a limit of a rule. The period becomes longer only
  /// when the values are twice as far from the limits as necessary. So noise does not change the period at
  /// each sample. While a value is unknown, the period is the shortest one.
  ///
  /// - Parameter present: the period of the present demand; nil without a demand.
  func period(
    of source: SensorRules.Source, after present: TimeSpan?, _ rules: SensorRules
  ) -> TimeSpan? {
    guard let periods = source.periods, let machine, let needs = rules.needs else {
      return source.wants.period
    }
    let readers = source.readers.filter { self.needs($0, rules) }
    let quiet = needs.needs(ofRules: Set(readers.map(\.rule)), machine, facts: facts, at: now)
    var span = TimeSpan.unlimited
    for fact in Set(readers.flatMap(\.facts)) {
      let (number, maxRate) = rules.paced[fact] ?? (0, .infinity)
      guard case .number(let value) = facts.value(number) else { return periods.shortest }
      guard let time = quiet[fact].timeWithoutEffect(from: value, maxRate: maxRate) else { continue }
      span = min(span, max(.zero, time - (now - facts.instant(number))))
    }
    let shorter = periods.period(within: span)
    guard let present, shorter > present else { return shorter }
    return max(present, periods.period(within: TimeSpan(nanoseconds: span.nanoseconds / 2)))
  }
}

extension SensorRules.PeriodRange {
  /// Returns the largest period that does not exceed a span. The possible periods are `shortest`, 2 ×
  /// `shortest`, 4 × `shortest` … up to `longest`. Returns `shortest` when `shortest` already exceeds the
  /// span.
  func period(within span: TimeSpan) -> TimeSpan {
    var period = shortest
    while period < longest {
      let next = period.times(2, capped: longest)
      guard next <= span, next > period else { break }
      period = next
    }
    return period
  }
}
