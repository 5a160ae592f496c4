import StintEstimation
import StintMachine
public import StintModel
import StintUnits

/// Facts that the governor works out itself.
extension Governor {
  private static let hour = TimeSpan.hours(1)

  /// Takes over what the program's policies compute; what did not change goes on.
  mutating func indexComputed(_ prepared: PreparedProgram) {
    let before = computed
    let names = prepared.names
    factStore.migrate(from: vocabulary, to: prepared.vocabulary, names, at: now)
    vocabulary = prepared.vocabulary
    zones.migrate(to: vocabulary, names)
    let oldRecords = Dictionary(
      before.map { ($0.fact.schema.path, $0) }, uniquingKeysWith: { first, _ in first })
    computed = vocabulary.computed.enumerated().map { place, fact in
      let number = vocabulary.firstComputed + place
      let old = oldRecords[names.path(before: fact.schema.path)]
      var record = ComputedRecord(
        fact: fact, number: number,
        kind: kind(of: fact, limits: prepared.limits[place], moves: prepared.moves[place], before: old?.kind))
      takeOverWait(&record, old)
      return record
    }
    activePlaces = computed.indices.filter {
      switch computed[$0].kind {
      case .zone, .foreign: false
      default: true
      }
    }
    mustCompute = true
  }

  private mutating func kind(
    of fact: ComputedFact, limits: [Double], moves: [(rule: Int, target: Int)],
    before old: ComputedRecord.Kind?
  ) -> ComputedRecord.Kind {
    switch fact.source {
    case .budget(let budget):
      return .meter(
        meter(
          budget.devices, BudgetPeriod(period: budget.period, from: budget.from),
          unit: budget.amount.roundedNanojoules, limits: limits, before: old))
    case .energy(let device):
      return .meter(
        meter([device], BudgetPeriod(period: .day, from: .zero), unit: 1e9, limits: limits, before: old))
    case .wakeups(let device):
      guard let number = vocabulary.device(device) else { return .foreign }
      if case .wakeups(number, let instants)? = old { return .wakeups(device: number, instants) }
      return .wakeups(device: number, [])
    case .unexplained: return .unexplained
    case .respite: return estimate(of: fact, limits: limits, before: old)
    case .zone(_, let question): return zones.zone(of: fact).map { .zone($0, question) } ?? .foreign
    case .machine: return .machine(moves, last: nil, wait: MachineWait())
    case .client: return .foreign
    case .rule(let rule): return .rule(rule)
    case .grant(let question): return .grant(question)
    case .observed(.spread(let device, _)):
      return vocabulary.device(device) == nil ? .foreign : estimate(of: fact, limits: limits, before: old)
    case .observed(let observation): return kind(of: observation, before: old)
    }
  }

  /// The estimator of a fact, with the state of the one before.
  private func estimate(
    of fact: ComputedFact, limits: [Double], before old: ComputedRecord.Kind?
  ) -> ComputedRecord.Kind {
    guard let estimate = Estimate(fact.source, limits: limits, in: vocabulary) else { return .foreign }
    if case .estimate(let former)? = old { return .estimate(estimate.continuing(former)) }
    return .estimate(estimate)
  }

  private mutating func meter(
    _ names: [DeviceID], _ period: BudgetPeriod, unit: Double, limits: [Double], before: ComputedRecord.Kind?
  ) -> Meter {
    let devices = names.compactMap { vocabulary.device($0) }
    var meter = Meter(
      devices: devices, period: period, unit: unit, limits: limits, drawn: drawn(devices),
      end: period.containing(now, in: timeZone).end)
    // What was drawn was drawn, however much may be now.
    if case .meter(let old)? = before, old.devices == devices, old.period == period {
      meter.before = old.before
      meter.end = old.end
    }
    return meter
  }

  /// What the devices have drawn up to now.
  mutating func drawn(_ devices: [Int]) -> Energy {
    var sum = Energy.zero
    for device in devices {
      closeInterval(device)
      sum += energy.ledger.byDevice[self.devices[device].manifest.device] ?? .zero
    }
    return sum
  }

  /// Works out what may have changed, and tells the machine.
  mutating func compute() {
    guard !computed.isEmpty, mustCompute || computedTimer <= now else { return }
    mustCompute = false
    zones.update(facts, vocabulary, at: now)
    publishZones()
    computedTimer = zones.nextTimer
    for place in activePlaces {
      switch computed[place].kind {
      case .meter(let meter): read(meter, place)
      case .wakeups(let device, let instants): count(instants, of: device, place)
      case .estimate(let estimate): read(estimate, place)
      case .serviceMeter(let word, let before, let end): readServiceMeter(word, before, end, place)
      case .observed(let observation, let device):
        publish(value(of: observation, device: device), place)
      case .unexplained: publish(.number(Double(energy.unexplained.nanoseconds) / 1e9), place)
      case .machine: if computed[place].next <= now { computed[place].next = .distantFuture }
      case .foreign, .rule, .grant: continue
      case .zone: break
      }
      computedTimer = min(computedTimer, computed[place].next)
    }
  }

  private mutating func read(_ old: Meter, _ place: Int) {
    var meter = old
    let sum = drawn(meter.devices)
    if meter.end <= now {
      meter.before = sum
      meter.end = meter.period.containing(now, in: timeZone).end
    }
    let power = meter.devices.reduce(Power.zero) { $0 + devices[$1].power }
    let remainder = meter.devices.reduce(Int64(0)) { $0 + energy.intervals[$1].remainder }
    computed[place].next = meter.next(drawn: sum, remainder: remainder, power: power, now: now)
    computed[place].kind = .meter(meter)
    publish(.number(meter.value(drawn: sum)), place)
  }

  private mutating func read(_ old: Estimate, _ place: Int) {
    var estimate = old
    estimate.read(facts, isOn: estimate.device.map { devices[$0].isOn } ?? false, at: now)
    computed[place].kind = .estimate(estimate)
    computed[place].next = estimate.next(after: now)
    publish(estimate.value(at: now), place)
  }

  /// Tells the estimators of a device that it delivered its positions.
  mutating func noteDelivery(_ device: Int) {
    guard !computed.isEmpty else { return }
    for place in activePlaces {
      guard case .estimate(var estimate) = computed[place].kind, estimate.device == device else { continue }
      estimate.read(facts, isOn: devices[device].isOn, at: now)
      estimate.delivers(at: now)
      computed[place].kind = .estimate(estimate)
      mustCompute = true
    }
  }

  private mutating func count(_ instants: [Instant], of device: Int, _ place: Int) {
    let recent = instants.filter { $0 + Self.hour > now }
    computed[place].kind = .wakeups(device: device, recent)
    computed[place].next = recent.first.map { $0 + Self.hour } ?? .distantFuture
    publish(.number(Double(recent.count) / 3600), place)
  }

  /// Ends what is true of zones for one step only; true when something was.
  mutating func endZonePulses() -> Bool {
    let hadPulse = zones.endPulses()
    if hadPulse { publishZones() }
    return hadPulse
  }

  private mutating func publishZones() {
    for place in zones.takeChanged() {
      guard case .zone(let zone, let question) = computed[place].kind else { continue }
      publish(zones.answer(question, zone), place)
    }
  }

  mutating func publish(_ value: FactValue, _ place: Int) {
    let number = computed[place].number
    guard facts.value(number) != value else { return }
    believe(number, value)
  }

  /// Publishes which rules are in force, where a test asks; true when one changed.
  mutating func publishRules() -> Bool {
    var hasChanged = false
    for place in activePlaces {
      guard case .rule(let rule) = computed[place].kind else { continue }
      let number = rules.image?.rules.firstIndex { $0.id == rule }
      let value = FactValue.boolean(number.map { rules.isHeld[$0] } ?? false)
      hasChanged = hasChanged || facts.value(computed[place].number) != value
      publish(value, place)
    }
    return hasChanged
  }

  /// Publishes what demands are granted, where a test asks: nothing but the test's own rules reads it.
  mutating func publishGrants() {
    var hasChanged = false
    for place in activePlaces {
      guard case .grant(let question) = computed[place].kind else { continue }
      let value = question.value(of: grant(of: question.client, on: question.device))
      hasChanged = hasChanged || facts.value(computed[place].number) != value
      publish(value, place)
    }
    if hasChanged { evaluateRules() }
  }

  /// What the first of a client's demands on a device is granted; nil where it has none.
  public func grant(of client: ClientID, on device: DeviceID) -> Grant? {
    guard let number = vocabulary.device(device) else { return nil }
    return devices[number].asked.lazy.compactMap { demands[$0] }.first { $0.demand.client == client }?.grant
  }

  /// Notes that a device was switched on, or a radio went on.
  mutating func noteWakeup(_ device: Int) {
    guard !computed.isEmpty else { return }
    mustCompute = true
    for place in activePlaces {
      guard case .wakeups(device, var instants) = computed[place].kind else { continue }
      instants.append(now)
      computed[place].kind = .wakeups(device: device, instants)
    }
  }
}
