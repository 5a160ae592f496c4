import StintEstimation
import StintMachine
import StintModel
import StintUnits

/// A derived fact: how its value is computed, and when the value changes without an event.
struct DerivedFact: Sendable {
  /// The computation of the value, with its state.
  enum Kind: Sendable {
    case meter(Meter)
    /// The instants of an event within the last hour, oldest first.
    case count(CountedEvent, [Instant])
    case unexplained
    case estimate(Estimate)
    /// A fact about the zone with this index.
    case zone(Int, ZoneQuery)
    case serviceMeter(ServiceMeter)
    case observed(Observation, device: Int?)
    case rule(RuleID)
    case grant(GrantFact)
    case machine(StateMachine)
    /// A fact that `DerivedFacts` does not compute. A client provides the fact, or the host does not have the
    /// device of the fact.
    case foreign
  }

  /// The definition from which a derived fact is created.
  struct Origin {
    var fact: ComputedFact
    /// The index of the fact in the vocabulary.
    var index: Int
    /// The constants with which conditions compare the fact.
    var limits: [Double]
    /// The transitions of a state machine: the index of the rule and of the target state.
    var moves: [(rule: Int, target: Int)]
    /// The index of the zone to which the fact refers; nil for other facts.
    var zone: Int?
  }

  private static let hour = TimeSpan.hours(1)

  let fact: ComputedFact
  /// The index of the fact in the vocabulary.
  let index: Int
  private(set) var kind: Kind
  /// The instant at which the value changes without an event. The distant future when only events change the
  /// value.
  private(set) var next = Instant.distantFuture

  /// False for the kinds `zone` and `foreign`; true for all other facts.
  var isActive: Bool {
    switch kind {
    case .zone, .foreign: false
    default: true
    }
  }

  /// The index of the zone, and the query about the zone; nil for other facts.
  var zone: (Int, ZoneQuery)? {
    if case .zone(let zone, let question) = kind { (zone, question) } else { nil }
  }

  // MARK: A step

  /// Computes the value. Returns nil for facts that another part of the step computes.
  mutating func update(
    _ context: DerivedContext, _ observations: Observations, _ energy: inout EnergyMeter
  ) -> FactValue? {
    let now = context.now
    switch kind {
    case .meter(var meter):
      let drawn = energy.drawn(by: meter.devices, context.devices, at: now)
      meter.follow(drawn: drawn, at: now, in: context.timeZone)
      let power = meter.devices.reduce(Power.zero) { $0 + context.devices[$1].power }
      let remainder = meter.devices.reduce(Int64(0)) { $0 + energy.intervals[$1].remainder }
      next = meter.next(drawn: drawn, remainder: remainder, power: power, now: now)
      kind = .meter(meter)
      return .number(meter.value(drawn: drawn))
    case .count(let event, let instants):
      let recent = instants.filter { $0 + Self.hour > now }
      kind = .count(event, recent)
      next = recent.first.map { $0 + Self.hour } ?? .distantFuture
      return .number(Double(recent.count) / 3600)
    case .estimate(var estimate):
      estimate.read(
        context.facts, isOn: estimate.device.map { context.devices[$0].isOn } ?? false, at: now)
      kind = .estimate(estimate)
      next = estimate.next(after: now)
      return estimate.value(at: now)
    case .serviceMeter(var meter):
      let drawn = energy.ledger.byService[meter.word] ?? .zero
      meter.follow(drawn: drawn, at: now, in: context.timeZone)
      kind = .serviceMeter(meter)
      next = meter.end
      return .number((drawn - meter.before).joules)
    case .observed: return observed(context, observations, energy)
    case .unexplained: return .number(Double(energy.unexplained.nanoseconds) / 1e9)
    case .machine:
      if next <= now { next = .distantFuture }
      return nil
    case .zone, .foreign, .rule, .grant: return nil
    }
  }

  /// Returns the value of an observation; nil for other facts.
  func observed(
    _ context: DerivedContext, _ observations: Observations, _ energy: EnergyMeter
  ) -> FactValue? {
    guard case .observed(let observation, let device) = kind else { return nil }
    return observations.value(of: observation, device: device, context, energy)
  }

  /// Returns the value of `grant(…)`, which only conditions of policy tests contain; nil for other facts.
  func grantValue(_ context: DerivedContext) -> FactValue? {
    guard case .grant(let question) = kind else { return nil }
    return question.value(of: context.grant(of: question.client, on: question.device))
  }

  /// Performs the first transition whose rule is in force. A second transition at one instant is delayed.
  ///
  /// - Returns: the index of the new state; nil when no transition takes place now.
  mutating func advance(_ isActive: [Bool], at now: Instant) -> Int? {
    guard case .machine(var machine) = kind, next == .distantFuture else { return nil }
    guard let move = machine.move(isActive) else { return nil }
    if let end = machine.wait(at: now) {
      next = end
      kind = .machine(machine)
      return nil
    }
    machine.moves(at: now)
    kind = .machine(machine)
    return move
  }

  /// Passes a delivery of a device, and the facts at that instant, to an estimate. Returns true when this
  /// fact is an estimate based on the device.
  mutating func delivered(_ device: Int, isOn: Bool, _ facts: FactTable, at now: Instant) -> Bool {
    guard case .estimate(var estimate) = kind, estimate.device == device else { return false }
    estimate.read(facts, isOn: isOn, at: now)
    estimate.delivers(at: now)
    kind = .estimate(estimate)
    return true
  }

  /// Records an occurrence of an event.
  mutating func happened(_ event: CountedEvent, at now: Instant) {
    guard case .count(event, var instants) = kind else { return }
    if instants.count >= CountedEvent.maxInstants { instants.removeFirst() }
    instants.append(now)
    kind = .count(event, instants)
  }

  /// Adapts periods to new time zone rules.
  mutating func follow(
    from former: TimeZoneRules, _ context: DerivedContext, _ energy: inout EnergyMeter
  ) {
    let (now, rules) = (context.now, context.timeZone)
    switch kind {
    case .meter(var meter):
      if meter.end <= now || meter.period.isLater(at: now, by: rules, than: former) {
        meter.before = energy.drawn(by: meter.devices, context.devices, at: now)
      }
      meter.end = meter.period.containing(now, in: rules).end
      kind = .meter(meter)
    case .serviceMeter(var meter):
      if meter.end <= now || BudgetPeriod.day.isLater(at: now, by: rules, than: former) {
        meter.before = energy.ledger.byService[meter.word] ?? .zero
      }
      meter.end = BudgetPeriod.day.containing(now, in: rules).end
      kind = .serviceMeter(meter)
    case .count, .unexplained, .estimate, .zone, .observed, .rule, .grant, .machine, .foreign:
      break
    }
  }

  // MARK: Reload and restart

  /// Creates the fact. Copies the state of the former fact if both facts are computed in the same way.
  init(
    _ origin: Origin, after former: DerivedFact?, _ context: DerivedContext,
    _ energy: inout EnergyMeter
  ) {
    fact = origin.fact
    index = origin.index
    kind = Self.kind(origin, after: former?.kind, context, &energy)
    // A reload must not end the wait of a state machine that has just changed its state.
    if case .machine = kind, let former, case .machine = former.kind { next = former.next }
  }

  private static func kind(
    _ origin: Origin, after former: Kind?, _ context: DerivedContext, _ energy: inout EnergyMeter
  ) -> Kind {
    let vocabulary = context.vocabulary
    switch origin.fact.source {
    case .budget(let budget):
      return meter(
        budget.devices, BudgetPeriod(period: budget.period, from: budget.from),
        unit: budget.amount.roundedNanojoules, origin, after: former, context, &energy)
    case .energy(let device):
      return meter([device], .day, unit: 1e9, origin, after: former, context, &energy)
    case .wakeups(let name):
      guard let device = vocabulary.device(name) else { return .foreign }
      return count(.turnedOn(device), after: former)
    case .unexplained: return .unexplained
    case .respite: return estimate(origin, after: former, vocabulary)
    case .zone(_, let question): return origin.zone.map { .zone($0, question) } ?? .foreign
    case .machine:
      if case .machine(let machine)? = former { return .machine(machine.with(origin.moves)) }
      return .machine(StateMachine(origin.moves))
    case .client, .keyed: return .foreign
    case .rule(let rule): return .rule(rule)
    case .grant(let question): return .grant(question)
    case .observed(.spread(let device, _)):
      return vocabulary.device(device) == nil
        ? .foreign : estimate(origin, after: former, vocabulary)
    case .observed(let observation):
      let device = observation.device.flatMap { vocabulary.device($0) }
      if observation.device != nil, device == nil { return .foreign }
      if let event = CountedEvent(observation, device: device) { return count(event, after: former) }
      guard case .energy(let word) = observation else {
        return .observed(observation, device: device)
      }
      if case .serviceMeter(let meter)? = former, meter.word == word { return .serviceMeter(meter) }
      return .serviceMeter(
        ServiceMeter(
          word: word, before: energy.ledger.byService[word] ?? .zero,
          end: BudgetPeriod.day.containing(context.now, in: context.timeZone).end))
    }
  }

  private static func count(_ event: CountedEvent, after former: Kind?) -> Kind {
    if case .count(event, let instants)? = former { return .count(event, instants) }
    return .count(event, [])
  }

  private static func estimate(_ origin: Origin, after former: Kind?, _ vocabulary: Vocabulary)
    -> Kind
  {
    guard let estimate = Estimate(origin.fact.source, limits: origin.limits, in: vocabulary) else {
      return .foreign
    }
    if case .estimate(let former)? = former { return .estimate(estimate.continuing(former)) }
    return .estimate(estimate)
  }

  private static func meter(
    _ names: [DeviceID], _ period: BudgetPeriod, unit: Double, _ origin: Origin,
    after former: Kind?,
    _ context: DerivedContext, _ energy: inout EnergyMeter
  ) -> Kind {
    let devices = names.compactMap { context.vocabulary.device($0) }
    var meter = Meter(
      devices: devices, period: period, unit: unit, limits: origin.limits,
      drawn: energy.drawn(by: devices, context.devices, at: context.now),
      end: period.containing(context.now, in: context.timeZone).end)
    // Consumed energy still counts when the amount of the budget has changed.
    if case .meter(let old)? = former, old.devices == devices, old.period == period {
      meter.before = old.before
      meter.end = old.end
    }
    return .meter(meter)
  }

  /// Returns the present value of a meter; nil for other facts.
  func meterValue(_ context: DerivedContext, _ energy: inout EnergyMeter) -> FactValue? {
    guard case .meter(let meter) = kind else { return nil }
    return .number(
      meter.value(drawn: energy.drawn(by: meter.devices, context.devices, at: context.now)))
  }

  /// Adds the state that survives a restart to `memory`.
  func remember(
    in memory: inout GovernorMemory, _ context: DerivedContext, _ energy: inout EnergyMeter
  ) {
    let path = fact.schema.path
    switch kind {
    case .meter(let meter):
      let drawn = energy.drawn(by: meter.devices, context.devices, at: context.now) - meter.before
      memory.meters.append(.init(path: path, drawn: drawn, end: meter.end))
    case .count(_, let instants): memory.wakeups.append(.init(path: path, instants: instants))
    case .machine(let machine):
      let name = fact.schema.text(of: context.facts.value(index))
      memory.states.append(.init(path: path, name: name, moved: machine.last))
    case .unexplained, .estimate, .serviceMeter, .observed, .zone, .rule, .grant, .foreign: break
    }
  }

  /// Restores the state from before a restart.
  ///
  /// - Returns: the index of the state of a state machine; nil for other facts, and when the state no longer
  ///   exists.
  mutating func restore(_ memory: GovernorMemory) -> Int? {
    let path = fact.schema.path
    switch kind {
    case .meter(var meter):
      guard let old = memory.meters.first(where: { $0.path == path }), old.end == meter.end else {
        return nil
      }
      meter.before = meter.before - old.drawn
      kind = .meter(meter)
    case .count(let event, _):
      guard let old = memory.wakeups.first(where: { $0.path == path }) else { return nil }
      kind = .count(event, old.instants)
    case .machine(let machine):
      guard let old = memory.states.first(where: { $0.path == path }),
        case .symbol(let words) = fact.schema.type, let state = words.firstIndex(of: old.name)
      else { return nil }
      kind = .machine(machine.moved(at: old.moved))
      return state
    case .unexplained, .estimate, .serviceMeter, .observed, .zone, .rule, .grant, .foreign: break
    }
    return nil
  }
}
