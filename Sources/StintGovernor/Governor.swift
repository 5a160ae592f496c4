public import StintMachine
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
  var devices: [DeviceRecord]
  var demands: [DemandID: DemandRecord] = [:]
  /// Nil until policies are loaded: every demand is then granted as asked.
  public internal(set) var machine: Machine?
  public internal(set) var program: Program?
  /// Rules that each demand is asked, and the machines that ask them, sorted by demand; nil and none where no rule
  /// reads facts of whoever asks.
  var clientRules: ClientRules?
  var demandMachines: [DemandMachine] = []
  /// What the rules that demands are asked remembered before a restart, until those demands are raised again.
  var recalled: [GovernorMemory.Asked] = []
  /// By directive of the image: in force now.
  var inForce: [Bool] = []
  /// What the machine told last; kept for its room.
  var changes: ContiguousArray<MachineChange> = []
  /// By rule of the image: its condition holds now.
  var isHeld: [Bool] = []
  /// By device: the directives of the image that reach it.
  var reaching: [[Int]]
  /// By device, then by rule: rules that are put aside there while the other holds.
  var overrides: [(winner: Int, loser: Int)] = []

  /// What is worked out for the policies, and when it next changes by itself.
  var computed: [ComputedRecord] = []
  var computedTimer = Instant.distantFuture
  /// Whether something happened from which facts are worked out.
  var mustCompute = false

  /// Zones that policies ask for, who says where the phone is, and the facts that decide.
  var zones = ZoneField()
  /// By zone: the places of the computed facts that ask about it; and the places of all other computed facts.
  var zonePlaces: [[Int]] = []
  var activePlaces: [Int] = []
  var positioning: [Positioning] = []
  /// By fact: whether it decides about a zone; empty where there are none.
  var zoneFacts: ContiguousArray<Bool> = []

  /// Services that rules have run, and what services say.
  var notes = ServiceNotes()

  /// Open intervals and the ledger.
  var energy: EnergyMeter
  /// The wake-ups of the processor.
  var waking: WakeCoalescer

  /// By rule: how often it came to hold, for how long in all, and since when it does.
  var ruleUse: [RuleID: RuleUse] = [:]

  /// The sources that are read on request, and by when.
  var sources: SourceScheduler

  public internal(set) var now: Instant
  /// The next instant at which something changes by itself; the distant future when nothing would.
  public private(set) var nextTimer = Instant.distantFuture
  var dirtyTargets: DeviceMarks
  var dirtyProviders: DeviceMarks
  /// Devices of which something changed that could end a hold or let a transfer go; else only their timers can.
  var mustLook: DeviceMarks
  /// The earliest timer of a device, and whether one has been set since it was found.
  private(set) var deviceTimer = Instant.distantFuture
  private(set) var timersMoved = false
  var effects: [Effect] = []
  var nextOwnDemand: Int64 = -1
  let appStateFact: Int?
  let backgroundState: FactValue
  /// By fact: the device whose odometer or accuracy it is, else -1.
  let watchedFacts: [Int]

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
    devices = vocabulary.manifests.map { DeviceRecord(manifest: $0, vocabulary: vocabulary) }
    reaching = Array(repeating: [], count: devices.count)
    dirtyTargets = DeviceMarks(count: devices.count)
    dirtyProviders = dirtyTargets
    mustLook = dirtyTargets
    appStateFact = vocabulary.fact("app.state")
    backgroundState = vocabulary.schema("app.state")?.value(from: "background") ?? .unknown
    var watched = Array(repeating: -1, count: vocabulary.facts.count)
    for (number, device) in devices.enumerated() {
      for fact in [device.odometerFact, device.accuracyFact] { if let fact { watched[fact] = number } }
    }
    watchedFacts = watched
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
    for (fact, value) in factStore.released(at: now) { takeAdmitted(fact, value) }
    // Most inputs are facts; a whole input is large to copy.
    for place in inputs.indices {
      if case .fact(let fact, let value) = inputs[place] {
        takeFact(fact, value)
      } else {
        take(inputs[place])
      }
    }
  }

  /// Decides what follows from the inputs of a step, or from other policies: the one pipeline of both.
  mutating func settle() {
    compute()
    runMachine()
    finishDueTimers()
    arbitrate()
    if !computed.isEmpty {
      publishGrants()
      noteMovedGrants()
    }
    leaseServices()
    handOver()
    wakeProcessor()
    if sources.mustPlan { sources.plan(outlook(), facts, at: now, &effects) }
    planTimer()
  }

  /// Whether a fact that rules read changes by itself now, or a rule does.
  private var isTimerDue: Bool {
    mutating get {
      if let timer = machine?.timer(), timer <= now { return true }
      return min(computedTimer, factStore.nextTimer) <= now
    }
  }

  mutating func planTimer() {
    if timersMoved {
      deviceTimer = .distantFuture
      for device in devices.indices { deviceTimer = min(deviceTimer, devices[device].timer) }
      timersMoved = false
    }
    var next = min(machine?.timer() ?? .distantFuture, computedTimer, factStore.nextTimer, deviceTimer)
    for place in demandMachines.indices {
      next = min(next, demandMachines[place].machine.timer() ?? .distantFuture)
    }
    nextTimer = sources.timer(beside: next)
  }

  /// Sets the instant at which one of a device's holds, deadlines or lingers ends.
  mutating func setTimer(_ device: Int, to instant: Instant) {
    guard devices[device].timer != instant else { return }
    devices[device].timer = instant
    timersMoved = true
  }
}

extension Governor {
  /// The value of every fact now.
  public var facts: FactTable { factStore.table }

  /// How often the processor was woken, and by which device's deliveries.
  public var wakes: Int { waking.count }
  public var wakesByDevice: [DeviceID: Int] { waking.countByDevice }

  /// How long devices have been on without a complete cause, as far as is booked; stays zero.
  public var unexplained: TimeSpan { energy.unexplained }

  /// The index of the processor; nil for a host without one.
  var processor: Int? { waking.processor }
}
