import StintMachine
import StintModel
import StintUnits

/// The rules that are evaluated once per demand. Each demand has its own rule VM.
///
/// The results of rules that read `client.*` differ from demand to demand. This type stores the results for
/// each demand. For each change of a result, the rule engine gets a `Transition`, which states whether the
/// rule is now active for at least one demand.
struct DemandRuleVMs: Sendable {
  /// A demand with the client facts that its VM reads.
  struct Entry {
    var id: DemandID
    var raised: Instant
    /// The values of the client facts, with their indexes in the vocabulary.
    var values: [(fact: Int, value: FactValue)]
  }

  /// The result of a rule after the result changed for one demand. `rule` is the index in the main image;
  /// `holds` is true when the rule is then active for at least one demand.
  struct Transition {
    var rule: Int
    var holds: Bool
  }

  /// The per-demand rules; nil when no rule reads facts of clients.
  private(set) var rules: PerDemandRules?
  /// The VMs, sorted by demand.
  private(set) var machines: [DemandMachine] = []
  /// The states saved before a restart, until their demands are raised again.
  private var restored: [GovernorMemory.PerDemandState] = []
  /// The demands whose directives or rules changed in the last evaluation.
  private(set) var changed: [DemandID] = []
  private var transitions: [Transition] = []

  // MARK: Demands

  /// Creates the VM of a demand. Copies the state of a former VM, or the state saved before a restart.
  mutating func attach(
    _ entry: Entry, _ context: RuleContext,
    adopting former: (machine: RuleVM, match: ImageMatch)? = nil
  ) {
    guard let rules else { return }
    var machine = RuleVM(rules.plan, timeZone: context.timeZone, at: context.now)
    for fact in rules.image.image.facts {
      // Facts of clients differ by demand, so the shared fact table never contains them.
      guard context.facts.value(fact.number) != .unknown else { continue }
      machine.set(
        fact: fact.number, context.facts.value(fact.number), at: context.facts.instant(fact.number))
    }
    for (fact, value) in entry.values { machine.set(fact: fact, value, at: entry.raised) }
    for device in context.demanded { machine.setDemanded(device, true) }
    if let former { machine.migrateState(former.machine, former.match) }
    var isRestored = false
    if let index = restored.firstIndex(where: { $0.demand == entry.id }) {
      machine.restore(restored.remove(at: index).machine)
      isRestored = true
    }
    let fresh = DemandMachine(demand: entry.id, machine: machine)
    for (rule, isActive) in fresh.isActive.enumerated() where isActive {
      self.rules?.holding[rules.rules[rule]] += 1
      // The rules that were active for a demand before a restart are active again when the demand is raised
      // again.
      if isRestored { transitions.append(Transition(rule: rules.rules[rule], holds: true)) }
    }
    machines.insert(fresh, at: machines.firstIndex { $0.demand > entry.id } ?? machines.count)
  }

  /// Removes the VM of a demand that has ended.
  mutating func detach(_ id: DemandID) {
    guard rules != nil, let index = index(of: id) else { return }
    let old = machines.remove(at: index)
    for rule in old.isActive.indices where old.isActive[rule] { count(rule, holds: false) }
  }

  /// Returns the VM of a demand; nil when the demand's device is not a target of a per-demand rule.
  func machine(of id: DemandID) -> DemandMachine? { index(of: id).map { machines[$0] } }

  /// True when no demand has a VM.
  var isEmpty: Bool { machines.isEmpty }

  /// Returns whether a directive, given by its index in the main image, is in force for a demand.
  func isInForce(_ directive: Int, for id: DemandID) -> Bool {
    guard let own = rules?.directivePlaces[directive], own >= 0, let index = index(of: id) else {
      return false
    }
    return machines[index].inForce[own]
  }

  /// Returns whether a rule, given by its index in the main image, is active for a demand. Nil for a rule
  /// that is not per-demand.
  func isActive(_ rule: Int, for id: DemandID?) -> Bool? {
    guard let own = rules?.rulePlaces[rule], own >= 0 else { return nil }
    guard let id, let index = index(of: id) else { return false }
    return machines[index].isActive[own]
  }

  private func index(of id: DemandID) -> Int? {
    var low = 0
    var high = machines.count
    while low < high {
      let middle = (low + high) / 2
      if machines[middle].demand < id { low = middle + 1 } else { high = middle }
    }
    return low < machines.count && machines[low].demand == id ? low : nil
  }

  // MARK: Evaluation

  /// Evaluates the rules of every demand, and records the demands with changes.
  mutating func evaluate(at now: Instant) {
    changed.removeAll(keepingCapacity: true)
    for index in machines.indices {
      let changes = machines[index].machine.propagate(at: now)
      guard !changes.isEmpty else { continue }
      changed.append(machines[index].demand)
      for change in changes {
        switch change {
        case .began(let directive): machines[index].inForce[directive] = true
        case .ended(let directive): machines[index].inForce[directive] = false
        case .held(let rule, let holds):
          machines[index].isActive[rule] = holds
          count(rule, holds: holds)
        // The policy checker rejects one-time actions in per-demand rules.
        case .fired: continue
        }
      }
    }
  }

  /// Updates the number of demands for which a rule is active.
  private mutating func count(_ rule: Int, holds: Bool) {
    guard let number = rules?.rules[rule] else { return }
    rules?.holding[number] += holds ? 1 : -1
    transitions.append(Transition(rule: number, holds: rules?.holding[number] ?? 0 > 0))
  }

  /// Removes and returns the transitions since the last call, in order.
  mutating func drainTransitions() -> [Transition] {
    guard !transitions.isEmpty else { return [] }
    defer { transitions.removeAll(keepingCapacity: true) }
    return transitions
  }

  // MARK: Inputs of the VMs

  mutating func set(fact: Int, _ value: FactValue, at now: Instant) {
    for index in machines.indices { machines[index].machine.set(fact: fact, value, at: now) }
  }

  mutating func set(demanded device: DeviceID, _ isDemanded: Bool) {
    for index in machines.indices { machines[index].machine.setDemanded(device, isDemanded) }
  }

  mutating func succeeded(_ device: DeviceID) {
    for index in machines.indices { machines[index].machine.succeeded(device: device) }
  }

  mutating func set(timeZone: TimeZoneRules, at now: Instant) {
    for index in machines.indices { machines[index].machine.set(timeZone: timeZone, at: now) }
  }

  /// Returns the next instant at which a rule changes without an input.
  mutating func nextTimer() -> Instant {
    var next = Instant.distantFuture
    for index in machines.indices {
      next = min(next, machines[index].machine.timer() ?? .distantFuture)
    }
    return next
  }

  // MARK: Reload and restart

  /// The states of the VMs by demand.
  var memory: [GovernorMemory.PerDemandState] {
    machines.map { .init(demand: $0.demand, machine: $0.machine.memory) }
  }

  /// Stores the states that were saved before a restart. Each state is kept until its demand is raised again.
  mutating func restore(_ memory: [GovernorMemory.PerDemandState]) { restored = memory }

  /// Replaces the rules by the rules of another program. Unchanged rules keep their state for each demand.
  ///
  /// - Parameter entries: The demands on the target devices of the new rules, sorted.
  /// - Returns: one of the former VMs, as a representative of all; nil without a former VM.
  mutating func migrate(
    to prepared: PreparedProgram, _ entries: [Entry], _ context: RuleContext
  ) -> ReplacedMachine? {
    let before = machines
    machines = []
    rules = prepared.perDemandRules
    for entry in entries {
      let old = before.first { $0.demand == entry.id }
      let former = old.flatMap { old in
        prepared.perDemandMatch.map { (machine: old.machine, match: $0) }
      }
      attach(entry, context, adopting: former)
    }
    guard let first = before.first?.machine, let match = prepared.perDemandMatch else { return nil }
    return ReplacedMachine(
      machine: first, image: prepared.program.perDemandImage?.image ?? Image(), match: match,
      instant: context.now, demands: before.count)
  }
}
