import StintMachine
import StintModel
import StintUnits

/// What a new rule VM reads of the rest of the governor.
struct RuleContext {
  var facts: FactTable
  /// Devices that are demanded now.
  var demanded: [DeviceID]
  var timeZone: TimeZoneRules
  var now: Instant
}

/// The rule engine evaluates the rules in force: which rules hold, and which directives are in force, where.
///
/// Rules that read no facts of clients share one rule VM; the others have one per demand. The engine acts on nothing: it
/// reports changes, and the governor follows them.
struct RuleEngine: Sendable {
  /// Nil until policies are loaded: every demand is then granted as asked.
  private(set) var program: Program?
  private(set) var machine: RuleVM?
  private(set) var perDemand = DemandRuleVMs()
  /// By directive of the image: in force now for all demands.
  private(set) var inForce: [Bool] = []
  /// By rule of the image: its condition holds now, for a per-demand rule for any demand.
  private(set) var isHeld: [Bool] = []
  /// What steps look up in the image.
  private(set) var index: DirectiveIndex
  /// Rules of which the loser does not count on a device that both reach, while the winner holds.
  private var overrides: [(winner: Int, loser: Int)] = []
  /// By rank of a rule's name: how often it came to hold, for how long in all, and since when it does.
  private var usage: [RuleUse] = []
  /// The same of rules that were in force once and are not now.
  private var formerUsage: [RuleID: RuleUse] = [:]
  /// The changes of the last evaluation; kept for their room.
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

  mutating func succeeded(_ device: DeviceID) {
    machine?.succeeded(device: device)
    perDemand.succeeded(device)
  }

  mutating func set(timeZone: TimeZoneRules, at now: Instant) {
    machine?.set(timeZone: timeZone, at: now)
    perDemand.set(timeZone: timeZone, at: now)
  }

  /// Whether per-demand rules reach demands on a device.
  func hasDemandRules(on device: DeviceID) -> Bool {
    perDemand.rules?.targets.contains(device) ?? false
  }

  /// Gives a demand its rule VM.
  mutating func attach(_ entry: DemandRuleVMs.Entry, _ context: RuleContext) {
    perDemand.attach(entry, context)
    followDemands(at: context.now)
  }

  /// Takes the rule VM of a demand that is over.
  mutating func detach(_ id: DemandID, at now: Instant) {
    perDemand.detach(id)
    followDemands(at: now)
  }

  // MARK: Evaluation

  /// The next instant at which a rule changes by itself: all rules, and those of the shared VM alone.
  mutating func nextTimer() -> Instant { min(nextSharedTimer(), perDemand.nextTimer()) }
  mutating func nextSharedTimer() -> Instant { machine?.timer() ?? .distantFuture }

  /// Evaluates the shared rules and hands out what changed; `giveBack` returns the room.
  mutating func evaluate(at now: Instant) -> ContiguousArray<RuleVMChange> {
    machine?.propagate(at: now, into: &changes)
    guard !changes.isEmpty else { return [] }
    var news: ContiguousArray<RuleVMChange> = []
    swap(&news, &changes)
    return news
  }

  mutating func recycle(_ news: consuming ContiguousArray<RuleVMChange>) {
    news.removeAll(keepingCapacity: true)
    swap(&news, &changes)
  }

  /// Counts a change of the shared rules.
  mutating func note(_ change: RuleVMChange, at now: Instant) {
    switch change {
    case .began(let directive): inForce[directive] = true
    case .ended(let directive): inForce[directive] = false
    case .held(let rule, let holds):
      isHeld[rule] = holds
      count(rule, holds: holds, at: now)
    case .fired(_, let rule):
      // Rules that hold for a while have been counted when they began.
      if index.isEdge[rule] {
        usage[index.ranks[rule]].count += 1
      }
    }
  }

  /// Evaluates the per-demand rules; `perDemand.changed` says for which demands something changed.
  mutating func evaluateDemands(at now: Instant) {
    perDemand.evaluate(at: now)
    followDemands(at: now)
  }

  /// A per-demand rule holds as long as it holds for any demand.
  private mutating func followDemands(at now: Instant) {
    guard let image, isHeld.count == image.rules.count else { return }
    for transition in perDemand.drainTransitions() where isHeld[transition.rule] != transition.holds {
      isHeld[transition.rule] = transition.holds
      count(transition.rule, holds: transition.holds, at: now)
    }
  }

  private mutating func count(_ rule: Int, holds: Bool, at now: Instant) {
    usage[index.ranks[rule]].changes(to: holds, at: now)
  }

  // MARK: Questions

  /// Whether a directive of the image is in force for a demand.
  func isInForce(_ directive: Int, for id: DemandID) -> Bool {
    inForce[directive] || !perDemand.isEmpty && perDemand.isInForce(directive, for: id)
  }

  /// Whether a rule of the image holds for a demand; for nil, whether it holds for all of them.
  func holds(_ rule: Int, for id: DemandID?) -> Bool {
    perDemand.isHeld(rule, for: id) ?? isHeld[rule]
  }

  /// Whether a rule that holds, and reaches the same device, overrides this directive: for one demand, or for all.
  func isOverridden(_ directive: Int, on device: Int, for demand: DemandID?) -> Bool {
    guard !overrides.isEmpty, let image else { return false }
    let rule = image.directives[directive].rule
    return overrides.contains { pair in
      pair.loser == rule && holds(pair.winner, for: demand)
        && index.reaching[device].contains { image.directives[$0].rule == pair.winner }
    }
  }

  /// Whether a rule for all demands keeps a device off now.
  func keepsOff(_ device: Int) -> Bool {
    index.limits[device].contains { entry in
      switch entry.limit {
      case .stop, .pause: inForce[entry.directive] && !isOverridden(entry.directive, on: device, for: nil)
      default: false
      }
    }
  }

  /// Whether `except` leaves a client alone.
  func isException(_ entry: DirectiveIndex.Entry, _ client: ClientID) -> Bool {
    guard entry.hasExceptions, let image else { return false }
    return image.directives[entry.directive].directive.exceptions.contains(client)
  }

  /// Whether a directive stops all demands of this service.
  func isBarred(_ service: ServiceWord?, by directive: Int) -> Bool {
    guard case .bar(let word)? = image?.directives[directive].directive.action else { return false }
    return service == word
  }

  /// What a directive holds; nil for one that is no `batch`.
  func hold(by directive: Int) -> Hold? {
    guard let entry = image?.directives[directive].directive, case .batch(let bounds) = entry.action
    else { return nil }
    return Hold(rule: entry.rule, bounds: bounds)
  }

  /// The truth of a rule's condition when last evaluated: one, or one for each demand.
  func truths(of rule: Int) -> [Truth] {
    guard let rules = perDemand.rules, rules.rulePlaces[rule] >= 0 else {
      return machine.map { [$0.truth(of: rule)] } ?? []
    }
    return perDemand.machines.map { $0.machine.truth(of: rules.rulePlaces[rule]) }
  }

  /// How much every rule has been at work up to `instant`, those that never were included.
  func usage(at instant: Instant) -> [RuleID: RuleUse] {
    var use = allUsage
    for (rule, entry) in use {
      guard let since = entry.since else { continue }
      use[rule]?.total += instant - since
      use[rule]?.since = instant
    }
    return use
  }

  /// The use of rules by name, those of former policies included.
  private var allUsage: [RuleID: RuleUse] {
    var use = formerUsage
    for (rank, entry) in usage.enumerated() { use[index.names[rank]] = entry }
    return use
  }

  // MARK: Reload and restart

  /// Adds what outlives the process.
  func remember(in memory: inout GovernorMemory) {
    memory.machine = machine?.memory ?? RuleVMMemory()
    memory.perDemand = perDemand.memory
  }

  /// Puts another program in force in the shared VM; what did not change keeps its state.
  ///
  /// - Returns: the VM that it replaced; nil for the first program.
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

  /// Puts the per-demand rules of the program in force.
  mutating func migrateDemands(
    to prepared: PreparedProgram, _ entries: [DemandRuleVMs.Entry], _ context: RuleContext
  ) -> ReplacedMachine? {
    perDemand.migrate(to: prepared, entries, context)
  }

  /// Follows what the VMs that are in force now say of rules and directives.
  ///
  /// - Parameter isRestart: whether rules that hold count as holding since now, because no process counted before.
  mutating func follow(_ prepared: PreparedProgram, isRestart: Bool, at now: Instant) {
    let image = prepared.program.image.image
    inForce = Array(repeating: false, count: image.directives.count)
    isHeld = Array(repeating: false, count: image.rules.count)
    _ = perDemand.drainTransitions()
    if let machine {
      for number in inForce.indices { inForce[number] = machine.isInForce(directive: number) }
      for rule in isHeld.indices { isHeld[rule] = machine.isHeld(rule: rule) }
    }
    if let rules = perDemand.rules {
      for rule in isHeld.indices where rules.holding[rule] > 0 { isHeld[rule] = true }
    }
    followUsage(to: prepared, at: now)
    overrides = prepared.overrides
    guard isRestart else { return }
    for rule in isHeld.indices where isHeld[rule] { count(rule, holds: true, at: now) }
  }

  /// Goes on with the use of rules by name; what holds no more is counted to its end.
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
    for rule in isHeld.indices where isHeld[rule] { holds[index.ranks[rule]] = true }
    for rank in usage.indices where !holds[rank] { usage[rank].changes(to: false, at: now) }
  }
}
