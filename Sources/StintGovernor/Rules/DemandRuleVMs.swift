import StintMachine
import StintModel
import StintUnits

/// The rules that are evaluated once per demand, each demand with a rule VM of its own.
///
/// Rules that read `client.*` differ from demand to demand. Their directives and truths are kept by demand here; what
/// holds for any demand is reported to the rule engine as transitions.
struct DemandRuleVMs: Sendable {
  /// A demand with what its VM reads of its client.
  struct Entry {
    var id: DemandID
    var raised: Instant
    /// Values of the facts of its client, by index in the vocabulary.
    var values: [(fact: Int, value: FactValue)]
  }

  /// A rule that came to hold for a first demand, or holds for none any more, by index in the image of all rules.
  struct Transition {
    var rule: Int
    var holds: Bool
  }

  /// The rules; nil where no rule reads facts of a client.
  private(set) var rules: PerDemandRules?
  /// The VMs, sorted by demand.
  private(set) var machines: [DemandMachine] = []
  /// What rules remembered of demands before a restart, until those demands are raised again.
  private var restored: [GovernorMemory.PerDemandState] = []
  /// Demands whose directives or rules changed in the last evaluation.
  private(set) var changed: [DemandID] = []
  private var transitions: [Transition] = []

  // MARK: Demands

  /// Gives a demand its VM, with the state of a former one or of before a restart.
  mutating func attach(
    _ entry: Entry, _ context: RuleContext,
    adopting former: (machine: RuleVM, match: ImageMatch)? = nil
  ) {
    guard let rules else { return }
    var machine = RuleVM(rules.plan, timeZone: context.timeZone, at: context.now)
    for fact in rules.image.image.facts {
      // Facts of clients differ by demand, so the common table never has them.
      guard context.facts.value(fact.number) != .unknown else { continue }
      machine.set(
        fact: fact.number, context.facts.value(fact.number), at: context.facts.instant(fact.number))
    }
    for (fact, value) in entry.values { machine.set(fact: fact, value, at: entry.raised) }
    for device in context.demanded { machine.setDemanded(device, true) }
    if let former { machine.migrateState(former.machine, former.match) }
    var isRestored = false
    if let place = restored.firstIndex(where: { $0.demand == entry.id }) {
      machine.restore(restored.remove(at: place).machine)
      isRestored = true
    }
    let fresh = DemandMachine(demand: entry.id, machine: machine)
    for (rule, isHeld) in fresh.isHeld.enumerated() where isHeld {
      self.rules?.holding[rules.rules[rule]] += 1
      // A demand that is raised again after a restart brings along what held for it.
      if isRestored { transitions.append(Transition(rule: rules.rules[rule], holds: true)) }
    }
    machines.insert(fresh, at: machines.firstIndex { $0.demand > entry.id } ?? machines.count)
  }

  /// Takes the VM of a demand that is over.
  mutating func detach(_ id: DemandID) {
    guard rules != nil, let place = place(of: id) else { return }
    let old = machines.remove(at: place)
    for rule in old.isHeld.indices where old.isHeld[rule] { count(rule, holds: false) }
  }

  /// The VM of a demand; nil where no per-demand rule reaches it.
  func machine(of id: DemandID) -> DemandMachine? { place(of: id).map { machines[$0] } }

  /// Whether no demand has a VM.
  var isEmpty: Bool { machines.isEmpty }

  /// Whether a directive of the image of all rules is in force for this demand.
  func isInForce(_ directive: Int, for id: DemandID) -> Bool {
    guard let own = rules?.directivePlaces[directive], own >= 0, let place = place(of: id) else {
      return false
    }
    return machines[place].inForce[own]
  }

  /// Whether a rule of the image of all rules holds for this demand; nil where it is not per-demand.
  func isHeld(_ rule: Int, for id: DemandID?) -> Bool? {
    guard let own = rules?.rulePlaces[rule], own >= 0 else { return nil }
    guard let id, let place = place(of: id) else { return false }
    return machines[place].isHeld[own]
  }

  private func place(of id: DemandID) -> Int? {
    var low = 0
    var high = machines.count
    while low < high {
      let middle = (low + high) / 2
      if machines[middle].demand < id { low = middle + 1 } else { high = middle }
    }
    return low < machines.count && machines[low].demand == id ? low : nil
  }

  // MARK: Evaluation

  /// Evaluates the rules of every demand, and keeps which demands changed.
  mutating func evaluate(at now: Instant) {
    changed.removeAll(keepingCapacity: true)
    for place in machines.indices {
      let changes = machines[place].machine.propagate(at: now)
      guard !changes.isEmpty else { continue }
      changed.append(machines[place].demand)
      for change in changes {
        switch change {
        case .began(let directive): machines[place].inForce[directive] = true
        case .ended(let directive): machines[place].inForce[directive] = false
        case .held(let rule, let holds):
          machines[place].isHeld[rule] = holds
          count(rule, holds: holds)
        // The checker lets no per-demand rule act.
        case .fired: continue
        }
      }
    }
  }

  /// Counts for how many demands a rule holds.
  private mutating func count(_ rule: Int, holds: Bool) {
    guard let number = rules?.rules[rule] else { return }
    rules?.holding[number] += holds ? 1 : -1
    transitions.append(Transition(rule: number, holds: rules?.holding[number] ?? 0 > 0))
  }

  /// Hands out the transitions since the last call, in order.
  mutating func drainTransitions() -> [Transition] {
    guard !transitions.isEmpty else { return [] }
    defer { transitions.removeAll(keepingCapacity: true) }
    return transitions
  }

  // MARK: Inputs of the VMs

  mutating func set(fact: Int, _ value: FactValue, at now: Instant) {
    for place in machines.indices { machines[place].machine.set(fact: fact, value, at: now) }
  }

  mutating func set(demanded device: DeviceID, _ isDemanded: Bool) {
    for place in machines.indices { machines[place].machine.setDemanded(device, isDemanded) }
  }

  mutating func succeeded(_ device: DeviceID) {
    for place in machines.indices { machines[place].machine.succeeded(device: device) }
  }

  mutating func set(timeZone: TimeZoneRules, at now: Instant) {
    for place in machines.indices { machines[place].machine.set(timeZone: timeZone, at: now) }
  }

  /// The next instant at which a rule changes by itself.
  mutating func nextTimer() -> Instant {
    var next = Instant.distantFuture
    for place in machines.indices {
      next = min(next, machines[place].machine.timer() ?? .distantFuture)
    }
    return next
  }

  // MARK: Reload and restart

  /// What the VMs remember, by demand.
  var memory: [GovernorMemory.PerDemandState] {
    machines.map { .init(demand: $0.demand, machine: $0.machine.memory) }
  }

  /// Keeps what was remembered before a restart until the demands are raised again.
  mutating func restore(_ memory: [GovernorMemory.PerDemandState]) { restored = memory }

  /// Goes over to other rules; what did not change keeps its state, demand by demand.
  ///
  /// - Parameter entries: the demands that the other rules reach, sorted.
  /// - Returns: one of the former VMs, which stands for all of them.
  mutating func migrate(
    to prepared: PreparedProgram, _ entries: [Entry], _ context: RuleContext
  ) -> ReplacedMachine? {
    let before = machines
    machines = []
    rules = prepared.perDemandRules
    for entry in entries {
      let old = before.first { $0.demand == entry.id }
      let former = old.flatMap { old in
        prepared.clientMatch.map { (machine: old.machine, match: $0) }
      }
      attach(entry, context, adopting: former)
    }
    guard let first = before.first?.machine, let match = prepared.clientMatch else { return nil }
    return ReplacedMachine(
      machine: first, image: prepared.program.clientImage?.image ?? Image(), match: match,
      instant: context.now, demands: before.count)
  }
}
