import StintMachine
public import StintModel
public import StintUnits

/// Turns facts and demands into device settings: a value without clock, thread or I/O.
///
/// Give it inputs with `step`, do what the effects say, and call `step` again at `nextTimer` when nothing
/// came
/// before. The same inputs at the same instants give the same effects, byte for byte.
public struct Governor: Sendable {
  /// Devices and facts, those that the loaded policies compute included.
  public internal(set) var vocabulary: Vocabulary
  /// How instants become local time, for schedules and periods of budgets; `Input.localTime` changes it.
  public internal(set) var timeZone: TimeZoneRules
  /// What it was at the start.
  let initialTimeZone: TimeZoneRules

  /// The value of every fact, and what comes in too soon.
  var factStore: FactStore
  /// The state of every device, which are decided again, and by when.
  var devices: DeviceTable
  var demands = DemandTable()
  /// The rules in force, and what holds.
  var rules: RuleEngine
  /// What demands are granted under them.
  var arbiter = Arbiter()

  /// The facts that no device publishes.
  var derived = DerivedFacts()
  /// The services that rules run.
  var services = RuleServices()

  /// Open intervals and the ledger.
  var energy: EnergyMeter
  /// The wake-ups of the processor.
  var waking: WakeCoalescer

  /// The sources that are read on request, and by when.
  var sources: SourceScheduler
  /// The devices that work for rules which read their facts.
  var sensing = SensingPlan()

  public internal(set) var now: Instant
  /// The next instant at which something changes by itself; the distant future when nothing would.
  public private(set) var nextTimer = Instant.distantFuture
  var effects: [Effect] = []
  let appStateFact: Int?
  let backgroundState: FactValue

  /// Starts with every device in its initial state and nothing demanded.
  public init(vocabulary: Vocabulary, timeZone: TimeZoneRules = .utc, at instant: Instant) {
    self.vocabulary = vocabulary
    self.timeZone = timeZone
    initialTimeZone = timeZone
    now = instant
    factStore = FactStore(vocabulary, at: instant)
    energy = EnergyMeter(devices: vocabulary.manifests.count, at: instant)
    waking = WakeCoalescer(vocabulary.manifests)
    sources = SourceScheduler(vocabulary)
    devices = DeviceTable(vocabulary)
    rules = RuleEngine(devices: devices.count)
    appStateFact = vocabulary.fact("app.state")
    backgroundState = vocabulary.schema("app.state")?.value(from: "background") ?? .unknown
    for number in devices.indices { publishState(number) }
  }

  /// Takes one input and returns what is to be done now.
  public mutating func step(_ input: Input, at instant: Instant) -> [Effect] {
    run(CollectionOfOne(input), at: instant)
  }

  /// Takes inputs that belong to one instant; as with any collection of them.
  public mutating func step(_ inputs: [Input], at instant: Instant) -> [Effect] {
    run(inputs, at: instant)
  }

  /// Takes inputs that belong to one instant, in order, and returns what is to be done now. No inputs: a
  /// timer.
  ///
  /// Instants must not go back; inputs from the past are refused as a whole.
  public mutating func step(_ inputs: some Collection<Input>, at instant: Instant) -> [Effect] {
    run(inputs, at: instant)
  }

  private mutating func run(_ inputs: some Collection<Input>, at instant: Instant) -> [Effect] {
    guard instant >= now else { return [.refused("the clock went back by \(now - instant)")] }
    begin(at: instant)
    if sources.isEmpty {
      apply(inputs)
    } else {
      guard let ready = sources.admit(inputs, isTimer: isTimerDue, at: now, &effects) else {
        planTimer()
        return effects
      }
      apply(ready)
    }
    settle()
    return effects
  }

  /// Begins a step or a reload.
  mutating func begin(at instant: Instant) {
    now = instant
    effects.removeAll(keepingCapacity: true)
  }

  private mutating func apply(_ inputs: some Collection<Input>) {
    for (fact, value) in factStore.released(at: now) { applyAdmitted(fact, value) }
    // Most inputs are facts; a whole input is large to copy.
    for place in inputs.indices {
      if case .fact(let fact, let value) = inputs[place] {
        applyFact(fact, value)
      } else {
        ingest(inputs[place])
      }
    }
  }

  /// Decides what follows from the inputs of a step, or from other policies: the one pipeline of both.
  mutating func settle() {
    if min(rules.nextSharedTimer(), sensing.nextTimer) <= now { sensing.invalidate() }
    updateDerived()
    propagate()
    finishDueTimers()
    arbitrate()
    publishGrants()
    derived.endStep(at: now)
    if !services.isEmpty, services.update(rules, &effects) { derived.leasesChanged(at: now) }
    deliverExpired()
    wakeProcessor()
    if sources.mustPlan { sources.plan(outlook(), facts, at: now, &effects) }
    planTimer()
  }

  /// Whether a fact that rules read changes by itself now, or a rule does.
  private var isTimerDue: Bool {
    mutating get {
      min(rules.nextSharedTimer(), derived.nextTimer, factStore.nextTimer) <= now
    }
  }

  mutating func planTimer() {
    let own = min(rules.nextTimer(), derived.nextTimer, factStore.nextTimer, devices.nextTimer())
    nextTimer = sources.nextTimer(beside: min(own, sensing.nextTimer))
  }
}

extension Governor {
  /// The value of every fact now.
  public var facts: FactTable {
    @inline(__always) get { factStore.table }
  }

  /// How often the processor was woken, and by which device's deliveries.
  public var wakes: Int { waking.count }
  public var wakesByDevice: [DeviceID: Int] { waking.countByDevice }

  /// How long devices have been on without a complete cause, as far as is booked; stays zero.
  public var unexplained: TimeSpan { energy.unexplained }

  /// The index of the processor; nil for a host without one.
  @inline(__always) var processor: Int? { waking.processor }
}
