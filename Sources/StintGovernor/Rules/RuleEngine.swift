import StintMachine
import StintModel
import StintUnits

/// The inputs that other parts of the governor give to a new rule VM.
struct RuleContext {
  var facts: FactTable
  /// The devices for which `DeviceRecord.isDemanded` is true.
  var demanded: [DeviceID]
  var timeZone: TimeZoneRules
  var now: Instant
}

/// Determines which rules of the program are active, and which directives are in force for which demands.
///
/// Rules that read no facts of clients share one rule VM; the other rules have one VM per demand. The engine
/// only reports changes; the governor applies them.
struct RuleEngine: Sendable {
  /// The program in force; nil until policies are loaded. While it is nil, no rule limits a demand.
  private(set) var program: Program?
  private(set) var machine: RuleVM?
  private(set) var perDemand = DemandRuleVMs()
  /// For each directive of the image: true when it is in force for all demands.
  private(set) var inForce: [Bool] = []
  /// For each rule of the image: true when the rule is active. A per-demand rule counts as active when it is
  /// active for at least one demand.
  private(set) var isActive: [Bool] = []
  /// The lookup tables of the image.
  private(set) var index: DirectiveIndex
  /// Pairs of rule indexes. While the winner is active, the loser has no effect on the devices that occur in
  /// both rules.
  private var overrides: [(winner: Int, loser: Int)] = []
  /// The use of each rule name, by the rank of the name.
  private var usage: [RuleUse] = []
  /// The use of rules that the present program no longer contains.
  private var formerUsage: [RuleID: RuleUse] = [:]
  /// The evaluation of the requirements that are watched at run time.
  private var requirements = RequirementWatch()
  /// The changes of the last evaluation; stored here to reuse the memory.
  private var changes: ContiguousArray<RuleVMChange> = []

  init(devices: Int) { index = DirectiveIndex(devices: devices) }

  /// The image of the program in force.
  var image: Image? {
    @inline(__always) get { program?.image.image }
  }

  // MARK: Inputs

  mutating func set(fact: Int, _ value: FactValue, at now: Instant) {
    machine?.set(fact: fact, value, at: now)
    perDemand.set(fact: fact, value, at: now)
  }

  mutating func set(demanded device: DeviceID, _ isDemanded: Bool) {
    machine?.setDemanded(device, isDemanded)
    perDemand.set(demanded: device, isDemanded)
  }

  /// Records a success of a device. Doubling durations of directives on the device start again at their first
  /// value.
  mutating func succeeded(_ device: DeviceID) {
    machine?.succeeded(device: device)
    perDemand.succeeded(device)
  }

  mutating func set(timeZone: TimeZoneRules, at now: Instant) {
    machine?.set(timeZone: timeZone, at: now)
    perDemand.set(timeZone: timeZone, at: now)
  }

  /// Returns whether a device is a target of a per-demand rule.
  func hasDemandRules(on device: DeviceID) -> Bool {
    perDemand.rules?.targets.contains(device) ?? false
  }

  mutating func attach(_ entry: DemandRuleVMs.Entry, _ context: RuleContext) {
    perDemand.attach(entry, context)
    followDemands(at: context.now)
  }

  /// Removes the rule VM of a demand that has ended.
  mutating func detach(_ id: DemandID, at now: Instant) {
    perDemand.detach(id)
    followDemands(at: now)
  }

  // MARK: Evaluation

  /// Returns the next instant at which a rule changes without an input. `nextSharedTimer` considers only the
  /// shared VM.
  mutating func nextTimer() -> Instant { min(nextSharedTimer(), perDemand.nextTimer()) }
  mutating func nextSharedTimer() -> Instant { machine?.timer() ?? .distantFuture }
  /// Returns the earliest instant from which each step makes a periodic shared rule with `flex` act.
  mutating func nextSharedOpportunity() -> Instant { machine?.opportunity() ?? .distantFuture }
  /// Returns the earlier one of `nextSharedTimer` and `nextSharedOpportunity`.
  mutating func nextSharedChange() -> Instant { min(nextSharedTimer(), nextSharedOpportunity()) }

  /// Evaluates the shared rules and returns the changes. Pass the array to `recycle` afterwards, so that its
  /// memory is reused.
  mutating func evaluate(at now: Instant) -> ContiguousArray<RuleVMChange> {
    machine?.propagate(at: now, into: &changes)
    if !requirements.isEmpty, let machine { requirements.note(machine, at: now) }
    guard !changes.isEmpty else { return [] }
    var result: ContiguousArray<RuleVMChange> = []
    swap(&result, &changes)
    return result
  }

  mutating func recycle(_ used: consuming ContiguousArray<RuleVMChange>) {
    used.removeAll(keepingCapacity: true)
    swap(&used, &changes)
  }

  /// Applies a change of the shared rules to the stored results.
  mutating func note(_ change: RuleVMChange, at now: Instant) {
    switch change {
    case .began(let directive): inForce[directive] = true
    case .ended(let directive): inForce[directive] = false
    case .held(let rule, let holds):
      isActive[rule] = holds
      count(rule, holds: holds, at: now)
    case .fired(_, let rule):
      // A rule with directives is counted when it becomes active, not when it acts.
      if index.hasNoDirectives[rule] {
        usage[index.ranks[rule]].count += 1
      }
    }
  }

  /// Evaluates the per-demand rules. `perDemand.changed` contains the demands with changes.
  mutating func evaluateDemands(at now: Instant) {
    perDemand.evaluate(at: now)
    followDemands(at: now)
  }

  /// Updates `isActive` of per-demand rules: true while the rule is active for at least one demand.
  private mutating func followDemands(at now: Instant) {
    guard let image, isActive.count == image.rules.count else { return }
    for transition in perDemand.drainTransitions() where isActive[transition.rule] != transition.holds {
      isActive[transition.rule] = transition.holds
      count(transition.rule, holds: transition.holds, at: now)
    }
  }

  private mutating func count(_ rule: Int, holds: Bool, at now: Instant) {
    usage[index.ranks[rule]].changes(to: holds, at: now)
  }

  // MARK: Questions

  func isInForce(_ directive: Int, for id: DemandID) -> Bool {
    inForce[directive] || !perDemand.isEmpty && perDemand.isInForce(directive, for: id)
  }

  /// Returns whether a rule of the image is active for a demand. If `id` is nil, returns whether a shared
  /// rule is active; false for a per-demand rule.
  func holds(_ rule: Int, for id: DemandID?) -> Bool {
    perDemand.isActive(rule, for: id) ?? isActive[rule]
  }

  /// Returns whether another rule overrides this directive on a device, for one demand or (with nil) for all.
  /// The other rule must be active and name the device as a target.
  func isOverridden(_ directive: Int, on device: Int, for demand: DemandID?) -> Bool {
    guard !overrides.isEmpty, let image else { return false }
    let rule = image.directives[directive].rule
    return overrides.contains { pair in
      pair.loser == rule && holds(pair.winner, for: demand)
        && index.reaching[device].contains { image.directives[$0].rule == pair.winner }
    }
  }

  /// Returns whether a shared rule stops or pauses the demands on a device now, even if `except` exempts some
  /// clients.
  func keepsOff(_ device: Int) -> Bool {
    index.limits[device].contains { entry in
      switch entry.limit {
      case .stop, .pause: inForce[entry.directive] && !isOverridden(entry.directive, on: device, for: nil)
      default: false
      }
    }
  }

  /// Returns whether `except` exempts a client from the directive.
  func isException(_ entry: DirectiveIndex.Entry, _ client: ClientID) -> Bool {
    guard entry.hasExceptions, let image else { return false }
    return image.directives[entry.directive].directive.exceptions.contains(client)
  }

  /// Returns whether a directive stops all demands of this service.
  func isBarred(_ service: ServiceWord?, by directive: Int) -> Bool {
    guard case .stopService(let word)? = image?.directives[directive].directive.action else { return false }
    return service == word
  }

  /// Returns the hold of a `batch` directive; nil for other directives.
  func hold(by directive: Int) -> Hold? {
    guard let entry = image?.directives[directive].directive, case .batch(let bounds) = entry.action
    else { return nil }
    return Hold(rule: entry.rule, bounds: bounds)
  }

  /// Returns the result of a rule's condition at its last evaluation: one value, or one value per demand.
  func truths(of rule: Int) -> [Truth] {
    guard let rules = perDemand.rules, rules.rulePlaces[rule] >= 0 else {
      return machine.map { [$0.truth(of: rule)] } ?? []
    }
    return perDemand.machines.map { $0.machine.truth(of: rules.rulePlaces[rule]) }
  }

  /// Returns the use of every rule up to `instant`, including rules that were never active.
  func usage(at instant: Instant) -> [RuleID: RuleUse] {
    var use = allUsage
    for (rule, entry) in use {
      guard let since = entry.since else { continue }
      use[rule]?.total += instant - since
      use[rule]?.since = instant
    }
    return use
  }

  /// Returns the evaluation of every watched requirement up to `instant`.
  func requirementUse(at instant: Instant) -> [RuleID: RequirementUse] { requirements.use(at: instant) }

  /// The use of rules by name, including rules of former policies.
  private var allUsage: [RuleID: RuleUse] {
    var use = formerUsage
    for (rank, entry) in usage.enumerated() { use[index.names[rank]] = entry }
    return use
  }

  // MARK: Reload and restart

  /// Adds the state that survives a restart.
  func remember(in memory: inout GovernorMemory) {
    memory.machine = machine?.memory ?? RuleVMSnapshot()
    memory.perDemand = perDemand.memory
  }

  /// Loads another program into the shared VM. Unchanged rules keep their state.
  ///
  /// - Returns: the replaced VM; nil for the first program.
  mutating func migrate(
    to prepared: PreparedProgram, _ context: RuleContext, restoring memory: GovernorMemory?
  ) -> ReplacedMachine? {
    var fresh = RuleVM(prepared.program.plan, timeZone: context.timeZone, at: context.now)
    let facts = context.facts
    for fact in 0..<facts.count where facts.value(fact) != .unknown {
      fresh.set(fact: fact, facts.value(fact), at: facts.instant(fact))
    }
    for device in context.demanded { fresh.setDemanded(device, true) }
    var former: ReplacedMachine?
    if let machine, let match = prepared.match {
      fresh.migrateState(machine, match)
      former = ReplacedMachine(
        machine: machine, image: prepared.program.image.image, match: match, instant: context.now)
    }
    if let memory { fresh.restore(memory.machine) }
    machine = fresh
    program = prepared.program
    perDemand.restore(memory?.perDemand ?? [])
    return former
  }

  /// Loads the per-demand rules of the program.
  ///
  /// - Returns: one of the replaced VMs, as a representative of all; nil without a former VM.
  mutating func migrateDemands(
    to prepared: PreparedProgram, _ entries: [DemandRuleVMs.Entry], _ context: RuleContext
  ) -> ReplacedMachine? {
    perDemand.migrate(to: prepared, entries, context)
  }

  /// Copies the results of rules and directives from the VMs of the new program.
  ///
  /// - Parameter isRestart: True after a restart. Each active rule is then counted as activated now, because
  ///   the counts of the former process are not kept.
  mutating func follow(_ prepared: PreparedProgram, isRestart: Bool, at now: Instant) {
    let image = prepared.program.image.image
    inForce = Array(repeating: false, count: image.directives.count)
    isActive = Array(repeating: false, count: image.rules.count)
    _ = perDemand.drainTransitions()
    if let machine {
      for number in inForce.indices { inForce[number] = machine.isInForce(directive: number) }
      for rule in isActive.indices { isActive[rule] = machine.isActive(rule: rule) }
    }
    if let rules = perDemand.rules {
      for rule in isActive.indices where rules.holding[rule] > 0 { isActive[rule] = true }
    }
    followUsage(to: prepared, at: now)
    requirements.migrate(to: prepared.program.image.image, at: now)
    overrides = prepared.overrides
    guard isRestart else { return }
    for rule in isActive.indices where isActive[rule] { count(rule, holds: true, at: now) }
  }

  /// Transfers the use of rules by name to the new program. For a rule that is no longer active, the time
  /// since its activation is added to its total now.
  private mutating func followUsage(to prepared: PreparedProgram, at now: Instant) {
    let names = index.names
    for rank in prepared.ruleNames.dropped where usage[rank] != RuleUse() {
      usage[rank].changes(to: false, at: now)
      formerUsage[names[rank]] = usage[rank]
    }
    index = prepared.index
    usage = index.names.indices.map { rank in
      let before = prepared.ruleNames.before[rank]
      if before >= 0 { return usage[before] }
      return formerUsage.isEmpty ? RuleUse() : formerUsage.removeValue(forKey: index.names[rank]) ?? RuleUse()
    }
    var holds = Array(repeating: false, count: usage.count)
    for rule in isActive.indices where isActive[rule] { holds[index.ranks[rule]] = true }
    for rank in usage.indices where !holds[rank] { usage[rank].changes(to: false, at: now) }
  }
}
