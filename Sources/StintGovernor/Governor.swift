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

  /// What is believed now.
  public internal(set) var facts: FactTable
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

  var book = Ledger()
  /// Time that a device spent on without a complete cause; stays zero.
  public internal(set) var unexplained = TimeSpan.zero
  /// How often the processor was woken, and by which device's deliveries.
  public internal(set) var wakes = 0
  public internal(set) var wakesByDevice: [DeviceID: Int] = [:]
  /// Who needs the processor woken in this step, and the devices they need it for.
  var rousing: [Cause.Link] = []
  var rousingDevices: [Int] = []
  /// When the processor was up last for a moment, as far as samples that ride along are concerned.
  var upAt = Instant(nanoseconds: .min)
  /// Why the processor was woken last, and for which devices.
  var rouseCause: Cause?
  var rousedDevices: [Int] = []

  /// By rule: how often it came to hold, for how long in all, and since when it does.
  var ruleUse: [RuleID: RuleUse] = [:]

  /// Sources that are read when somebody needs what they say; what is needed of each published fact as far as is known,
  /// and the facts that rules read without needing them.
  var readers: [SourceReader]
  var sensing: SensingNeeds?
  var outlook: [FactNeed?] = []
  var restingFacts: Set<Int> = []
  var mustPlanReadings = false
  var readingTimer = Instant.distantFuture
  /// What came in and waits for sources that were read, and until when it does.
  var waiting: [Input] = []
  var answerBy = Instant.distantFuture

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
  let processor: Int?
  /// Streams faster than this keep the processor awake: waking again would cost more.
  let sleepBreakEven: TimeSpan
  let appStateFact: Int?
  let backgroundState: FactValue
  /// By published fact: what is asked of its values.
  let bounds: ContiguousArray<FactBounds>
  /// By fact: the device whose odometer or accuracy it is, else -1.
  let watchedFacts: [Int]

  /// One for each fact whose source says how fast it is; and by fact, its place among them or -1.
  var gates: [FactGate]
  let gateNumbers: [Int]
  /// When the next value that came too soon may be believed.
  var gateTimer = Instant.distantFuture

  /// Starts with every device in its initial state and nothing demanded.
  public init(vocabulary: Vocabulary, timeZone: TimeZoneRules = .utc, at instant: Instant) {
    self.vocabulary = vocabulary
    self.timeZone = timeZone
    initialTimeZone = timeZone
    now = instant
    facts = FactTable(count: vocabulary.facts.count)
    devices = vocabulary.manifests.map { DeviceRecord(manifest: $0, vocabulary: vocabulary, at: instant) }
    reaching = Array(repeating: [], count: devices.count)
    dirtyTargets = DeviceMarks(count: devices.count)
    dirtyProviders = dirtyTargets
    mustLook = dirtyTargets
    bounds = ContiguousArray(vocabulary.facts.map { FactBounds($0) })
    processor = vocabulary.manifests.firstIndex { $0.kind == .processor }
    sleepBreakEven = processor.map { Self.breakEven(vocabulary.manifests[$0]) } ?? .zero
    appStateFact = vocabulary.fact("app.state")
    backgroundState = vocabulary.schema("app.state")?.value(from: "background") ?? .unknown
    var watched = Array(repeating: -1, count: vocabulary.facts.count)
    for (number, device) in devices.enumerated() {
      for fact in [device.odometerFact, device.accuracyFact] { if let fact { watched[fact] = number } }
    }
    watchedFacts = watched
    (gates, gateNumbers) = Self.gates(vocabulary, at: instant)
    readers = Self.readers(vocabulary)
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
    now = instant
    effects.removeAll(keepingCapacity: true)
    if readers.isEmpty {
      takeAll(inputs)
    } else if readsFirst(inputs) {
      planTimer()
      return effects
    }
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
    rouseProcessor()
    if !readers.isEmpty { planReadings() }
    planTimer()
    return effects
  }

  mutating func takeAll(_ inputs: some Collection<Input>) {
    releaseGates()
    // Most inputs are facts; a whole input is large to copy.
    for place in inputs.indices {
      if case .fact(let fact, let value) = inputs[place] {
        takeFact(fact, value)
      } else {
        take(inputs[place])
      }
    }
  }

  mutating func planTimer() {
    if timersMoved {
      deviceTimer = .distantFuture
      for device in devices.indices { deviceTimer = min(deviceTimer, devices[device].timer) }
      timersMoved = false
    }
    var next = min(machine?.timer() ?? .distantFuture, computedTimer, gateTimer, deviceTimer)
    for place in demandMachines.indices {
      next = min(next, demandMachines[place].machine.timer() ?? .distantFuture)
    }
    if !readers.isEmpty { next = answerBy < .distantFuture ? answerBy : min(next, readingTimer) }
    nextTimer = next
  }

  /// Sets the instant at which one of a device's holds, deadlines or lingers ends.
  mutating func setTimer(_ device: Int, to instant: Instant) {
    guard devices[device].timer != instant else { return }
    devices[device].timer = instant
    timersMoved = true
  }

  /// The shortest gap over which sleeping and waking costs less than staying awake.
  private static func breakEven(_ manifest: Manifest) -> TimeSpan {
    guard let wake = manifest.event(named: "wake"), let awake = manifest.states.first(where: \.isOn),
      let asleep = manifest.states.first(where: { !$0.isOn }), awake.power > asleep.power
    else { return .zero }
    let saved = Int128(awake.power.nanowatts) - Int128(asleep.power.nanowatts)
    let price = manifest.events[wake].energy.nanojoules.multipliedSaturated(by: 1_000_000_000)
    return TimeSpan(nanoseconds: Int64(clamping: price / saved))
  }
}
