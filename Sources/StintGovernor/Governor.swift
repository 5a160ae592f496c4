import StintMachine
public import StintModel
public import StintUnits

/// The decision engine: computes device settings from facts and demands. It is a value that uses no clock, no
/// threads and no I/O.
///
/// Pass inputs to `step` and perform the returned effects. When no input comes before `nextTimer`, call
/// `step` at that instant. Equal inputs at equal instants give equal effects, byte for byte.
public struct Governor: Sendable {
  /// The devices and facts, including the facts that the loaded policies compute.
  public internal(set) var vocabulary: Vocabulary
  /// The rules that convert instants to local time, for schedules and periods of budgets. `Input.localTime`
  /// changes them.
  public internal(set) var timeZone: TimeZoneRules
  /// The time zone rules with which the governor was created.
  let initialTimeZone: TimeZoneRules

  /// The value of every fact, and new values that wait because a rate limit does not permit them yet.
  var factStore: FactStore
  /// The known keys of each family of facts.
  var keys: [FactKeys]
  /// The state and timer of every device, and marks of the devices whose decisions must be repeated.
  var devices: DeviceTable
  var demands = DemandTable()
  /// The rules in force and their results.
  var rules: RuleEngine
  /// Computes the grants of demands.
  var arbiter = Arbiter()

  /// The facts that no device publishes.
  var derived = DerivedFacts()
  var services = RuleServices()

  /// The open intervals and the ledger.
  var energy: EnergyMeter
  /// The wake-ups of the processor.
  var waking: WakeCoalescer

  /// The sources that are read on request, and their timers.
  var sources: SourceScheduler
  /// The demands that the governor raises for rules that read facts of sensors.
  var sensing = SensingPlan()

  /// The instant of the last step or reload.
  public internal(set) var now: Instant
  /// The next instant at which the host must call `step` without an input. The distant future when no call is
  /// needed.
  public private(set) var nextTimer = Instant.distantFuture
  var effects: [Effect] = []
  let appStateFact: Int?
  let backgroundState: FactValue
  /// The clients that report whether they are in the background, with their reports.
  var presences = ClientPresences()

  /// Creates a governor in which every device is in its initial state and no demand exists.
  public init(vocabulary: Vocabulary, timeZone: TimeZoneRules = .utc, at instant: Instant) {
    self.vocabulary = vocabulary
    self.timeZone = timeZone
    initialTimeZone = timeZone
    now = instant
    factStore = FactStore(vocabulary, at: instant)
    keys = Array(repeating: FactKeys(), count: vocabulary.families.count)
    energy = EnergyMeter(devices: vocabulary.manifests.count, at: instant)
    waking = WakeCoalescer(vocabulary.manifests)
    sources = SourceScheduler(vocabulary)
    devices = DeviceTable(vocabulary)
    rules = RuleEngine(devices: devices.count)
    appStateFact = vocabulary.fact("app.state")
    backgroundState = vocabulary.schema("app.state")?.value(from: "background") ?? .unknown
    for number in devices.indices { publishState(number) }
  }

  /// Processes one input and returns the effects to perform now.
  public mutating func step(_ input: Input, at instant: Instant) -> [Effect] {
    run(CollectionOfOne(input), at: instant)
  }

  /// Processes inputs of one instant and returns the effects to perform now.
  public mutating func step(_ inputs: [Input], at instant: Instant) -> [Effect] {
    run(inputs, at: instant)
  }

  /// Processes inputs of one instant in their order, and returns the effects to perform now. Pass no inputs
  /// when only a timer has expired.
  ///
  /// Instants must not decrease. When the instant is before `now`, all inputs are ignored, and the only
  /// effect is an `Effect.refused`.
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
    // Most inputs are facts and deliveries, and copying a whole input is expensive.
    for place in inputs.indices {
      if case .fact(let fact, let value) = inputs[place] {
        applyFact(fact, value)
      } else if case .delivered(let device, let samples, let reason) = inputs[place] {
        applyDelivery(device, samples: samples, reason)
      } else {
        ingest(inputs[place])
      }
    }
  }

  /// Decides all consequences of a step or a reload, after the inputs have been applied.
  mutating func settle() {
    if min(rules.nextSharedChange(), sensing.nextTimer) <= now { sensing.invalidate() }
    updateDerived()
    propagate()
    finishDueTimers()
    arbitrate()
    publishGrants()
    derived.endStep(at: now)
    if !services.isEmpty, services.update(rules, &effects) { derived.ruleServicesChanged(at: now) }
    deliverExpired()
    wakeProcessor()
    if sources.mustPlan { sources.plan(factNeeds(), facts, at: now, &effects) }
    planTimer()
  }

  /// The earliest instant from which each step makes a periodic rule with `flex` act, even a step without
  /// inputs. The timer of the rule expires later.
  public var nextOpportunity: Instant {
    mutating get { rules.nextSharedOpportunity() }
  }

  /// True when a timer of a shared rule or of a fact has expired, or when a periodic rule may act now.
  private var isTimerDue: Bool {
    mutating get {
      min(rules.nextSharedChange(), derived.nextTimer, factStore.nextTimer) <= now
    }
  }

  mutating func planTimer() {
    let own = min(rules.nextTimer(), derived.nextTimer, factStore.nextTimer, devices.nextTimer())
    nextTimer = sources.nextTimer(beside: min(own, sensing.nextTimer))
  }
}

extension Governor {
  /// The present value of every fact.
  public var facts: FactTable {
    @inline(__always) get { factStore.table }
  }

  /// Returns the instant at which a fact lost its value. The value was withdrawn, or it was computed from
  /// values that are now too old. Nil for a known fact and for a fact that was never known.
  package func end(of fact: Int) -> Instant? { factStore.end(of: fact) }

  /// The number of wake-ups of the processor.
  public var wakes: Int { waking.count }
  /// For each device: the number of wake-ups of the processor that its requests caused.
  public var wakesByDevice: [DeviceID: Int] { waking.countByDevice }

  /// The index of the processor; nil for a host without a processor.
  @inline(__always) var processor: Int? { waking.processor }
}
