import StintModel
import StintUnits

/// Computes the facts that no device publishes, such as budgets, zones, wake-up counts, estimates, states of
/// state machines and observations.
///
/// The inputs are published facts, devices, demands and the ledger. New values stay in `publications` until
/// the governor has set them as facts.
struct DerivedFacts: Sendable {
  /// A computed value of a fact. It may equal the present value.
  struct Publication: Sendable {
    var fact: Int
    var value: FactValue
  }

  private var records: [DerivedFact] = []
  /// Indexes of records: `active` contains all active facts (`DerivedFact.isActive`). Of these facts,
  /// `machines` contains the state machines. `grants` below contains the facts about grants.
  private var active: [Int] = []
  private var machines: [Int] = []
  /// The records of facts that state whether a rule is in force, with the index of the rule. The index is nil
  /// for an unknown rule.
  private var rules: [(record: Int, rule: Int?)] = []
  private var grants: [Int] = []
  private var zoneFacts = ZoneFacts()
  private(set) var observations = Observations()
  /// True when an input of derived facts has changed.
  private var mustUpdate = false
  /// The next instant at which a derived fact changes without an event. The distant future when there is no
  /// such fact.
  private(set) var nextTimer = Instant.distantFuture
  /// The computed values, in the order of their computation. `endPublishing` removes them.
  private(set) var publications: ContiguousArray<Publication> = []

  /// True when the policies have no derived facts.
  var isEmpty: Bool { records.isEmpty }

  /// Returns whether values must be computed at this instant.
  func mustUpdate(at now: Instant) -> Bool { !records.isEmpty && (mustUpdate || nextTimer <= now) }

  /// Returns whether a change of a published fact requires new values of derived facts in the same step.
  func decides(_ fact: Int) -> Bool { zoneFacts.decides(fact) }

  /// The last position since the start; nil before the first position. Positions are processed only while
  /// policies have zones.
  var position: SensingInput.Position? { zoneFacts.position }

  /// Keeps the values of all zone facts valid until an instant, even if no fix arrives.
  mutating func keepPlaces(until instant: Instant) {
    zoneFacts.keep(until: instant)
    nextTimer = min(nextTimer, zoneFacts.nextTimer)
  }

  /// All zones by name.
  var zones: [String: Zone] { zoneFacts.zones }

  // MARK: Events

  /// Marks the derived facts for an update because an input changed.
  mutating func invalidate() { mustUpdate = true }

  /// Marks the derived facts for an update if policies use observations.
  mutating func invalidateObservations() { if observations.isUsed { mustUpdate = true } }

  /// Records that a demand ended or moved to another device. A further step at the same instant then
  /// evaluates the rules that observe demands.
  mutating func grantMoved() { observations.grantMoved() }

  mutating func ruleServicesChanged(at now: Instant) {
    guard observations.isUsed else { return }
    mustUpdate = true
    nextTimer = now
  }

  /// Sets a signal of a service. Returns false when the schema of the signal rejects the value.
  mutating func set(_ signal: ServiceSignal, _ value: FactValue) -> Bool {
    guard observations.set(signal, value) else { return false }
    invalidateObservations()
    return true
  }

  /// Sets whether a demand has a consumer for its samples.
  mutating func set(hasConsumer: Bool, of demand: DemandID) {
    observations.set(hasConsumer: hasConsumer, of: demand)
    invalidateObservations()
  }

  /// Removes a demand that has ended.
  mutating func forget(_ demand: DemandID) {
    observations.forget(demand)
    invalidateObservations()
    observations.grantMoved()
  }

  /// Records that a device delivered a batch. For a device that cannot hold samples, each delivery counts as
  /// a batch.
  mutating func batchDone(_ device: Int) {
    guard observations.isUsed else { return }
    observations.batchDone(device)
    mustUpdate = true
  }

  /// Passes a delivery of a device to the estimates that use its positions.
  mutating func delivered(_ device: Int, isOn: Bool, _ facts: FactTable, at now: Instant) {
    for index in active where records[index].delivered(device, isOn: isOn, facts, at: now) {
      mustUpdate = true
    }
  }

  /// Records an occurrence of an event that facts may count.
  mutating func happened(_ event: CountedEvent, at now: Instant) {
    guard !records.isEmpty else { return }
    mustUpdate = true
    for index in active { records[index].happened(event, at: now) }
  }

  // MARK: A step

  /// Computes the values that may have changed, and the next timer.
  mutating func update(_ context: DerivedContext, _ energy: inout EnergyMeter) {
    mustUpdate = false
    zoneFacts.update(context.facts, context.vocabulary, at: context.now)
    publishZones()
    nextTimer = zoneFacts.nextTimer
    for index in active {
      if let value = records[index].update(context, observations, &energy) { publish(value, index) }
      nextTimer = min(nextTimer, records[index].next)
    }
  }

  /// Performs the transitions whose rules are in force. Returns true when a state of a machine changed.
  mutating func advance(_ isActive: [Bool], at now: Instant, _ effects: inout [Effect]) -> Bool {
    var hasMoved = false
    for index in machines {
      guard let state = records[index].advance(isActive, at: now) else {
        nextTimer = min(nextTimer, records[index].next)
        continue
      }
      publish(.symbol(state), index)
      let schema = records[index].fact.schema
      effects.append(.moved(machine: schema.path, state: schema.text(of: .symbol(state))))
      hasMoved = true
    }
    return hasMoved
  }

  /// Computes which rules are in force, for policy tests that refer to rules.
  mutating func updateRules(_ isActive: [Bool]) {
    for (record, rule) in rules { publish(.boolean(rule.map { isActive[$0] } ?? false), record) }
  }

  /// Computes the grants, for policy tests that refer to grants.
  mutating func updateGrants(_ context: DerivedContext) {
    for index in grants {
      if let value = records[index].grantValue(context) { publish(value, index) }
    }
  }

  /// True when policy tests refer to rules.
  var hasRules: Bool { !rules.isEmpty }
  /// True when policy tests refer to grants.
  var hasGrants: Bool { !grants.isEmpty }

  /// Resets the zone facts that are true for one evaluation only. Returns true when there was such a fact.
  mutating func endZonePulses() -> Bool {
    let hadPulse = zoneFacts.endPulses()
    if hadPulse { publishZones() }
    return hadPulse
  }

  /// Resets the observations that are true for one evaluation only.
  mutating func endObservedPulses(_ context: DerivedContext, _ energy: EnergyMeter) {
    observations.endPulses()
    for index in active {
      if let value = records[index].observed(context, observations, energy) {
        publish(value, index)
      }
    }
  }

  /// Ends a step. If grants moved during the step, a further step at the same instant evaluates the rules
  /// that observe demands.
  mutating func endStep(at now: Instant) {
    guard observations.endMoves() else { return }
    mustUpdate = true
    nextTimer = now
  }

  private mutating func publishZones() {
    for index in zoneFacts.drainChanged() {
      if let (zone, question) = records[index].zone {
        publish(zoneFacts.answer(question, zone), index)
      }
    }
  }

  private mutating func publish(_ value: FactValue, _ index: Int) {
    publications.append(Publication(fact: records[index].index, value: value))
  }

  /// Removes the publications after the governor has set them as facts.
  mutating func endPublishing() { publications.removeAll(keepingCapacity: true) }

  // MARK: Local time, reload and restart

  /// Adapts the derived facts to new time zone rules.
  ///
  /// Facts that measure time spans are not affected. Facts with daily periods follow local time. A budget
  /// starts again when the clock moved forward into a later period. When the clock moved back, the energy
  /// already consumed counts for the earlier period, so clock changes back and forth never grant a budget
  /// twice.
  mutating func follow(
    from former: TimeZoneRules, _ context: DerivedContext, _ energy: inout EnergyMeter
  ) {
    for index in records.indices { records[index].follow(from: former, context, &energy) }
    mustUpdate = true
  }

  /// Returns the facts with the present value of each meter, for the report of a reload.
  func readingMeters(_ context: DerivedContext, _ energy: inout EnergyMeter) -> FactTable {
    var facts = context.facts
    for record in records {
      guard let value = record.meterValue(context, &energy) else { continue }
      facts.set(record.index, value, at: context.now)
    }
    return facts
  }

  /// Replaces the derived facts by the derived facts of new policies. Facts with an unchanged definition keep
  /// their state.
  ///
  /// - Parameter context: the inputs, with the vocabulary of the new policies.
  mutating func migrate(
    to prepared: PreparedProgram, _ context: DerivedContext, _ energy: inout EnergyMeter
  ) {
    let names = prepared.names
    let vocabulary = context.vocabulary
    zoneFacts.migrate(to: vocabulary, names)
    let former = Dictionary(
      records.map { ($0.fact.schema.path, $0) }, uniquingKeysWith: { first, _ in first })
    var fresh: [DerivedFact] = []
    fresh.reserveCapacity(vocabulary.computed.count)
    for (place, fact) in vocabulary.computed.enumerated() {
      let origin = DerivedFact.Origin(
        fact: fact, index: vocabulary.firstComputed + place, limits: prepared.limits[place],
        moves: prepared.moves[place], zone: zoneFacts.zone(of: fact))
      fresh.append(
        DerivedFact(origin, after: former[names.path(before: fact.schema.path)], context, &energy))
    }
    records = fresh
    active = records.indices.filter { records[$0].isActive }
    machines = active.filter { if case .machine = records[$0].kind { true } else { false } }
    rules = active.compactMap { record in
      guard case .rule(let rule) = records[record].kind else { return nil }
      return (record, prepared.index.number(of: rule))
    }
    grants = active.filter { if case .grant = records[$0].kind { true } else { false } }
    observations.migrate(to: vocabulary)
    mustUpdate = true
    // The first update sets the timer. When there are no derived facts, no timer is needed.
    nextTimer = .distantFuture
  }

  /// Adds the state that survives a restart to `memory`.
  func remember(
    in memory: inout GovernorMemory, _ context: DerivedContext, _ energy: inout EnergyMeter
  ) {
    for record in records { record.remember(in: &memory, context, &energy) }
    memory.zones = zoneFacts.memory
  }

  /// Restores the state from before a restart, for facts that the policies still use.
  mutating func restore(_ memory: GovernorMemory) {
    zoneFacts.restore(memory.zones)
    for index in active {
      if let state = records[index].restore(memory) { publish(.symbol(state), index) }
    }
  }
}

/// The inputs of derived facts.
struct DerivedContext {
  let facts: FactTable
  let devices: DeviceTable
  let demands: DemandTable
  /// The services that rules run at present.
  let ruleServices: [RuleService]
  let vocabulary: Vocabulary
  let timeZone: TimeZoneRules
  let now: Instant

  /// Returns the grant of the first demand of a client on a device. Nil when the client has no demand there.
  func grant(of client: ClientID, on device: DeviceID) -> Grant? {
    vocabulary.device(device).flatMap { demands.first(of: client, among: devices[$0].requested)?.grant }
  }
}
