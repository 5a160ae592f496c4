import StintGovernor
import StintModel
import StintRuntime
import StintUnits

/// Two governors on one journal: one with the recorded policies (`old`), one with the candidate
/// policy (`new`).
struct WhatIfPair {
  /// The maximum number of rounds at one instant. In a round, devices report and the candidate's governor
  /// responds. More rounds mean that the devices and the governor respond to each other without end.
  private static let maxRounds = 1000

  private(set) var old: Governor
  private(set) var new: Governor
  private let program: Program
  private var isLoaded = false
  private var devices: [CandidateDevice]
  private var oldTable = DecisionTable()
  private var newTable = DecisionTable()
  private(set) var divergences = DivergenceList()
  private(set) var unknown: UnknownIntervals
  /// The present instant of the comparison. Its decisions are compared when the next instant begins.
  private var currentInstant: Instant
  private(set) var oldDecisions = 0
  private(set) var newDecisions = 0
  /// The active demands, for the simulated transfers of diverged radios.
  private var demands: [DemandID: Demand] = [:]
  /// By fact index: the index of the sensor that publishes the fact, or -1.
  private let publisher: [Int]
  /// The same for each family of facts.
  private let familyPublisher: [Int]

  init(
    vocabulary: Vocabulary, timeZone: TimeZoneRules, program: Program, behaviors: [DeviceBehavior],
    at instant: Instant
  ) {
    old = Governor(vocabulary: vocabulary, timeZone: timeZone, at: instant)
    new = old
    self.program = program
    currentInstant = instant
    devices = behaviors.enumerated().map { CandidateDevice(number: $0, behavior: $1, at: instant) }
    unknown = UnknownIntervals(vocabulary.manifests)
    func sensor(_ schema: FactSchema) -> Int {
      guard let name = schema.device, let number = vocabulary.device(name),
        vocabulary.manifests[number].kind == .sensor
      else { return -1 }
      return number
    }
    publisher = vocabulary.facts.map(sensor)
    familyPublisher = vocabulary.families.map(sensor)
  }

  // MARK: The journal

  /// Loads policies from the journal. The candidate is loaded together with the first policies of
  /// the journal.
  mutating func load(
    _ recorded: Program, recalling memory: GovernorMemory?, at instant: Instant
  ) throws(Problem) {
    catchUp(to: instant)
    let was = try Self.effects(of: &old, recorded, memory, instant)
    var would: [Effect] = []
    if !isLoaded { would = try Self.effects(of: &new, program, memory, instant) }
    isLoaded = true
    apply(was, would, at: instant)
    handleReports(at: instant)
  }

  private static func effects(
    of governor: inout Governor, _ program: Program, _ memory: GovernorMemory?, _ instant: Instant
  ) throws(Problem) -> [Effect] {
    guard let memory else { return try governor.load(program, at: instant).effects }
    return try governor.load(program, at: instant, recalling: memory).effects
  }

  /// Passes the inputs of a journal record to both governors.
  mutating func step(_ inputs: [Input], at instant: Instant) {
    catchUp(to: instant)
    for input in inputs { note(input) }
    let candidateInputs = inputs.filter { concernsCandidate($0) }
    let was = old.step(inputs, at: instant)
    let would = new.step(candidateInputs, at: instant)
    apply(was, would, at: instant)
    handleReports(at: instant)
    for number in devices.indices { devices[number].rejoin() }
  }

  /// Runs the candidate up to the end of the journal and ends the comparison.
  mutating func finish(at instant: Instant) {
    catchUp(to: instant)
    endInstant(to: nil)
    divergences.finish()
    unknown.finish(at: instant)
  }

  /// Handles the timers of the candidate's governor and the reports of simulated devices before the instant
  /// of the next record.
  private mutating func catchUp(to instant: Instant) {
    while true {
      var next = new.nextTimer
      for device in devices where device.next < next { next = device.next }
      guard next < instant else { break }
      advance(to: max(next, new.now))
    }
    endInstant(to: instant)
  }

  private mutating func advance(to instant: Instant) {
    endInstant(to: instant)
    var inputs: [Input] = []
    for number in devices.indices where devices[number].next <= instant {
      inputs += devices[number].report(at: instant)
    }
    apply([], new.step(inputs, at: instant), at: instant)
    handleReports(at: instant)
  }

  /// Handles the immediate reports of diverged devices.
  private mutating func handleReports(at instant: Instant) {
    for _ in 0..<Self.maxRounds {
      var inputs: [Input] = []
      for number in devices.indices where devices[number].next <= instant {
        inputs += devices[number].report(at: instant)
      }
      if inputs.isEmpty { return }
      apply([], new.step(inputs, at: instant), at: instant)
    }
  }

  // MARK: Inputs

  private mutating func note(_ input: Input) {
    switch input {
    case .raise(let demand): demands[demand.id] = demand
    case .release(let id), .carried(let id): demands[id] = nil
    case .outcome(let device, .state(let state, _)) where devices.indices.contains(device):
      devices[device].recordedState = state
      if !devices[device].hasDiverged { devices[device].state = state }
    default: return
    }
  }

  /// Returns true when the input of the journal also applies to the candidate's governor.
  private func concernsCandidate(_ input: Input) -> Bool {
    switch input {
    case .fact(let fact, _):
      return publisher.indices.contains(fact) ? concernsCandidate(factOf: publisher[fact]) : true
    case .keyed(let family, _, _):
      return familyPublisher.indices.contains(family)
        ? concernsCandidate(factOf: familyPublisher[family]) : true
    case .outcome(let device, _), .delivered(let device, _, _):
      return !devices.indices.contains(device) || !devices[device].hasDiverged
    case .carried: return !devices.contains { $0.manifest.kind == .radio && $0.hasDiverged }
    case .raise, .release, .available, .wakeRequested, .signal, .hasConsumer, .localTime, .presence:
      return true
    }
  }

  /// Returns true when a fact that the device published in the journal also applies to the candidate's
  /// governor. The index of the device is negative for a fact without a device.
  private func concernsCandidate(factOf device: Int) -> Bool {
    device < 0 || !devices[device].hasDiverged || devices[device].setting.isOn
  }

  // MARK: Effects

  private mutating func apply(_ was: [Effect], _ would: [Effect], at instant: Instant) {
    oldTable.apply(was, of: old)
    newTable.apply(would, of: new)
    for effect in was where old.decisionText(of: effect) != nil { oldDecisions += 1 }
    for effect in would where new.decisionText(of: effect) != nil { newDecisions += 1 }
    for case .set(let device, let setting) in was { devices[device].recorded = setting }
    for case .grant(let demand, _) in would { demands[demand.id] = demand }
    for number in devices.indices {
      let candidateEffects = would.filter { $0.device == number }
      for case .set(_, let setting) in candidateEffects { devices[number].setting = setting }
      let recordedEffects = was.filter { $0.device == number }
      if candidateEffects != recordedEffects {
        let isDeliveryOnly = (candidateEffects + recordedEffects).allSatisfy { effect in
          if case .set = effect { false } else { true }
        }
        devices[number].markDiverged(at: instant, isDeliveryOnly: isDeliveryOnly)
      } else if !devices[number].hasDiverged {
        continue
      }
      for effect in candidateEffects { applyEffect(number, effect, at: instant) }
    }
    for device in devices { unknown.update(for: device, at: instant) }
  }

  /// Applies an effect to a diverged device.
  private mutating func applyEffect(_ number: Int, _ effect: Effect, at instant: Instant) {
    switch effect {
    case .set: devices[number].apply(at: instant)
    case .drain(_, let reason): devices[number].drain(reason, at: instant)
    case .carry(_, let ids, _): devices[number].startTransfers(ids.compactMap { demands[$0] }, at: instant)
    case .wakeProcessor: devices[number].wakeProcessor(at: instant)
    case .read, .grant, .ended, .act, .moved, .began, .ceased, .refused, .faulted: return
    }
  }

  private mutating func endInstant(to instant: Instant?) {
    if let instant, instant == currentInstant { return }
    divergences.compare(oldTable, newTable, at: currentInstant)
    oldTable.endInstant()
    newTable.endInstant()
    if let instant { currentInstant = instant }
  }
}

extension Effect {
  /// The index of the device to which the effect applies; nil for other effects.
  fileprivate var device: Int? {
    switch self {
    case .set(let device, _), .drain(let device, _), .carry(let device, _, _), .wakeProcessor(let device):
      device
    case .read, .grant, .ended, .act, .moved, .began, .ceased, .refused, .faulted: nil
    }
  }
}
