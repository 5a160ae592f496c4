import StintModel
import StintUnits

/// Derived facts are facts that no device publishes: budgets, zones, wake-up counts, states of machines, observations.
///
/// The part computes them from published facts, devices and the ledger. It publishes nothing itself: new values stand in
/// `publications` until the governor has set them as facts.
struct DerivedFacts: Sendable {
  /// A value that was computed again; it may be the value that the fact has.
  struct Publication: Sendable {
    var fact: Int
    var value: FactValue
  }

  private var records: [DerivedFact] = []
  /// The records that ask about no zone, and those of each kind that a step asks for by itself.
  private var active: [Int] = []
  private var machines: [Int] = []
  private var rules: [Int] = []
  private var grants: [Int] = []
  private var zoneFacts = ZoneFacts()
  private(set) var observations = Observations()
  /// Whether something happened from which facts are computed.
  private var mustUpdate = false
  /// When a derived fact changes by itself; the distant future for never.
  private(set) var nextTimer = Instant.distantFuture
  /// The values that were computed again, in order, until `endPublishing`.
  private(set) var publications: ContiguousArray<Publication> = []

  /// Whether the policies derive no fact.
  var isEmpty: Bool { records.isEmpty }

  /// Whether values must be computed again now.
  func mustUpdate(at now: Instant) -> Bool { !records.isEmpty && (mustUpdate || nextTimer <= now) }

  /// Whether a change of a published fact changes derived facts at once.
  func decides(_ fact: Int) -> Bool { zoneFacts.decides(fact) }

  /// The last position while policies have zones; nil before the first since the start.
  var position: SensingInput.Position? { zoneFacts.position }

  /// Keeps the answers of all zones until an instant although no fix comes.
  mutating func keepPlaces(until instant: Instant) {
    zoneFacts.keep(until: instant)
    nextTimer = min(nextTimer, zoneFacts.nextTimer)
  }

  /// Every zone by name.
  var zones: [String: Zone] { zoneFacts.zones }

  // MARK: What happened

  /// Something happened from which facts are computed.
  mutating func invalidate() { mustUpdate = true }

  /// Something happened that policies may observe.
  mutating func invalidateObservations() { if observations.isUsed { mustUpdate = true } }

  /// A demand moved to another device, or ended; rules that observe it are evaluated in a step of their own, at once.
  mutating func grantMoved() { observations.grantMoved() }

  /// The services that rules run changed.
  mutating func leasesChanged(at now: Instant) {
    guard observations.isUsed else { return }
    mustUpdate = true
    nextTimer = now
  }

  /// A service sent a signal; false where its schema refuses the value.
  mutating func set(_ signal: ServiceSignal, _ value: FactValue) -> Bool {
    guard observations.set(signal, value) else { return false }
    invalidateObservations()
    return true
  }

  /// A consumer begins or ends to take what a demand brings.
  mutating func set(hasConsumer: Bool, of demand: DemandID) {
    observations.set(hasConsumer: hasConsumer, of: demand)
    invalidateObservations()
  }

  /// A demand is over.
  mutating func forget(_ demand: DemandID) {
    observations.forget(demand)
    invalidateObservations()
    observations.grantMoved()
  }

  /// A device delivered a batch that it had held, or delivers each sample.
  mutating func batchDone(_ device: Int) {
    guard observations.isUsed else { return }
    observations.batchDone(device)
    mustUpdate = true
  }

  /// A device delivered its positions, which estimators of it read.
  mutating func delivered(_ device: Int, isOn: Bool, _ facts: FactTable, at now: Instant) {
    for index in active where records[index].delivered(device, isOn: isOn, facts, at: now) {
      mustUpdate = true
    }
  }

  /// A device was switched on, or a radio went on.
  mutating func deviceWoke(_ device: Int, at now: Instant) {
    guard !records.isEmpty else { return }
    mustUpdate = true
    for index in active { records[index].deviceWoke(device, at: now) }
  }

  // MARK: A step

  /// Computes what may have changed, and the next timer.
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

  /// Moves each state machine that a rule leads out of its state; true when one moved.
  mutating func advance(_ isHeld: [Bool], at now: Instant, _ effects: inout [Effect]) -> Bool {
    var hasMoved = false
    for index in machines {
      guard let state = records[index].advance(isHeld, at: now) else {
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

  /// Computes which rules hold, where a test asks.
  mutating func updateRules(_ engine: inout RuleEngine) {
    for index in rules { if let value = records[index].value(of: &engine) { publish(value, index) } }
  }

  /// Computes what demands are granted, where a test asks.
  mutating func updateGrants(_ context: DerivedContext) {
    for index in grants {
      if let value = records[index].grantValue(context) { publish(value, index) }
    }
  }

  /// Whether a test asks for rules, and whether it asks for grants.
  var hasRules: Bool { !rules.isEmpty }
  var hasGrants: Bool { !grants.isEmpty }

  /// Ends what is true of zones for one evaluation only; true when something was.
  mutating func endZonePulses() -> Bool {
    let hadPulse = zoneFacts.endPulses()
    if hadPulse { publishZones() }
    return hadPulse
  }

  /// Ends what is observed for one evaluation only.
  mutating func endObservedPulses(_ context: DerivedContext, _ energy: EnergyMeter) {
    observations.endPulses()
    for index in active {
      if let value = records[index].observed(context, observations, energy) {
        publish(value, index)
      }
    }
  }

  /// Ends a step: where grants moved in it, rules that observe them are evaluated again at once.
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

  /// Forgets the publications, which the governor has set as facts.
  mutating func endPublishing() { publications.removeAll(keepingCapacity: true) }

  // MARK: Local time, reload and restart

  /// Follows other rules of local time.
  ///
  /// What counts spans of time goes on. What counts days goes by the new local time: a budget is given again where the
  /// clock went on to a later period; where it went back, what was spent counts for the earlier one, so that a clock that
  /// swings gives no budget twice.
  mutating func follow(
    from former: TimeZoneRules, _ context: DerivedContext, _ energy: inout EnergyMeter
  ) {
    for index in records.indices { records[index].follow(from: former, context, &energy) }
    mustUpdate = true
  }

  /// The facts with each meter read now, as a reload reports them.
  func readingMeters(_ context: DerivedContext, _ energy: inout EnergyMeter) -> FactTable {
    var facts = context.facts
    for record in records {
      guard let value = record.meterValue(context, &energy) else { continue }
      facts.set(record.index, value, at: context.now)
    }
    return facts
  }

  /// Goes over to what other policies derive; what did not change goes on.
  ///
  /// - Parameter context: with the vocabulary of the other policies.
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
      let source = DerivedFact.Origin(
        fact: fact, index: vocabulary.firstComputed + place, limits: prepared.limits[place],
        moves: prepared.moves[place], zone: zoneFacts.zone(of: fact))
      fresh.append(
        DerivedFact(source, after: former[names.path(before: fact.schema.path)], context, &energy))
    }
    records = fresh
    active = records.indices.filter { records[$0].isActive }
    machines = active.filter { if case .machine = records[$0].kind { true } else { false } }
    rules = active.filter { if case .rule = records[$0].kind { true } else { false } }
    grants = active.filter { if case .grant = records[$0].kind { true } else { false } }
    observations.migrate(to: vocabulary)
    mustUpdate = true
    // The first update sets it again; without derived facts there is none.
    nextTimer = .distantFuture
  }

  /// Adds what outlives the process.
  func remember(
    in memory: inout GovernorMemory, _ context: DerivedContext, _ energy: inout EnergyMeter
  ) {
    for record in records { record.remember(in: &memory, context, &energy) }
    memory.zones = zoneFacts.memory
  }

  /// Takes over what was known before a restart, where the policies still ask for it.
  mutating func restore(_ memory: GovernorMemory) {
    zoneFacts.restore(memory.zones)
    for index in active {
      if let state = records[index].restore(memory) { publish(.symbol(state), index) }
    }
  }
}

/// What derived facts are computed from.
struct DerivedContext {
  let facts: FactTable
  let devices: DeviceTable
  let demands: DemandTable
  /// Services that rules run now.
  let leases: [ServiceLease]
  let vocabulary: Vocabulary
  let timeZone: TimeZoneRules
  let now: Instant

  /// The grant of the first demand of a client on a device; nil where the client has none there.
  func grant(of client: ClientID, on device: DeviceID) -> Grant? {
    vocabulary.device(device).flatMap { demands.first(of: client, among: devices[$0].requested)?.grant }
  }
}
