public import StintMachine
import StintModel
public import StintUnits

extension Governor {
  /// Puts policies in force, in place of those that were; between two steps.
  ///
  /// What did not change keeps its state, and no effect comes of it. Returns the slots and
  /// the states of machines that were kept and dropped beside what is to be done now.
  public mutating func load(
    _ program: Program, at instant: Instant
  ) -> (effects: [Effect], kept: [SlotKey], dropped: [SlotKey]) {
    guard instant >= now else { return ([.refused("the clock went back by \(now - instant)")], [], []) }
    now = instant
    effects.removeAll(keepingCapacity: true)
    let before = (vocabulary, facts)
    indexComputed(program)
    let states = keptStates(since: before)
    var fresh = Machine(image: program.image, timeZone: timeZone, at: now)
    for fact in 0..<facts.count where facts.value(fact) != .unknown {
      fresh.set(fact: fact, facts.value(fact), at: facts.instant(fact))
    }
    for device in devices where device.isDemanded { fresh.setDemanded(device.manifest.device, true) }
    var moved: (kept: [SlotKey], dropped: [SlotKey]) = ([], [])
    if let machine { moved = fresh.adopt(machine, at: now) }
    machine = fresh
    self.program = program
    let asked = loadClientRules(program)
    moved.kept += asked.kept
    moved.dropped += asked.dropped
    index(program.image.image)
    for number in inForce.indices { inForce[number] = machine?.isInForce(directive: number) ?? false }
    reconcileStarts()
    for number in devices.indices {
      dirtyTargets[number] = true
      dirtyProviders[number] = true
    }
    compute()
    runMachine()
    finishDueTimers()
    arbitrate()
    if !computed.isEmpty { publishGrants() }
    handOver()
    rouseProcessor()
    planTimer()
    return (effects, moved.kept + states.kept, moved.dropped + states.dropped)
  }

  private mutating func index(_ image: Image) {
    inForce = Array(repeating: false, count: image.directives.count)
    isHeld = image.rules.indices.map { rule in
      machine?.isHeld(rule: rule) == true || clientRules.map { $0.holding[rule] > 0 } == true
    }
    let held = Set(image.rules.indices.filter { isHeld[$0] }.map { image.rules[$0].id })
    for (rule, use) in ruleUse where use.since != nil && !held.contains(rule) { note(rule, holds: false) }
    overrides = image.overrides.map { (winner: $0.winner, loser: $0.loser) }
    reaching = Array(repeating: [], count: devices.count)
    for (number, entry) in image.directives.enumerated() {
      for target in entry.directive.targets {
        if let device = vocabulary.device(target) { reaching[device].append(number) }
      }
    }
  }

  /// Lets the machine settle and takes over what changed.
  mutating func runMachine() {
    // Pulses last for one settling, and each machine moves at most once, so this ends.
    repeat {
      settle()
      while !computed.isEmpty, moveMachines() { settle() }
    } while endPulses()
    if !computed.isEmpty, publishRules() { settle() }
  }

  mutating func settle() {
    settleMachine()
    // What the common rules start is asked at once.
    if !demandMachines.isEmpty { settleDemands() }
  }

  private mutating func settleMachine() {
    guard let changes = machine?.settle(at: now), !changes.isEmpty, let image = program?.image.image else {
      return
    }
    for change in changes {
      switch change {
      case .began(let directive):
        inForce[directive] = true
        touch(directive, image.directives[directive].directive, isBeginning: true)
      case .ended(let directive):
        inForce[directive] = false
        touch(directive, image.directives[directive].directive, isBeginning: false)
      case .held(let rule, let holds):
        isHeld[rule] = holds
        note(image.rules[rule].id, holds: holds)
        for entry in image.directives where entry.rule == rule { dirty(entry.directive.targets) }
      case .fired(let act, let rule):
        perform(act, by: image.rules[rule].id)
        // Rules that hold for a while have been counted when they began.
        if image.rules[rule].directives.isEmpty {
          ruleUse[image.rules[rule].id, default: RuleUse()].count += 1
        }
      }
    }
  }

  private mutating func touch(_ number: Int, _ directive: Directive, isBeginning: Bool) {
    dirty(directive.targets)
    guard case .start(let client, let wants) = directive.action else { return }
    for target in directive.targets {
      if isBeginning {
        start(target, for: client ?? ClientID(directive.rule.policy), wants: wants, by: directive, at: number)
      } else {
        let ended = demands.values.filter { $0.raisedAt == number && $0.demand.target == target }
        for record in ended.map(\.demand.id).sorted() { release(record) }
      }
    }
  }

  private mutating func dirty(_ targets: [DeviceID]) {
    for target in targets { if let device = vocabulary.device(target) { dirtyTargets[device] = true } }
  }

  @discardableResult
  private mutating func start(
    _ target: DeviceID, for client: ClientID, wants: Wants, by directive: Directive?, at number: Int? = nil
  ) -> DemandID {
    let id = DemandID(nextOwnDemand)
    nextOwnDemand -= 1
    raise(Demand(id: id, client: client, target: target, wants: wants))
    demands[id]?.raisedBy = directive
    demands[id]?.raisedAt = number
    return id
  }

  /// After a reload: what rules started and still start goes on, the rest ends.
  private mutating func reconcileStarts() {
    guard let image = program?.image.image else { return }
    var wanted: [(number: Int, directive: Directive, target: DeviceID)] = []
    for (number, entry) in image.directives.enumerated() where inForce[number] {
      if case .start = entry.directive.action {
        wanted += entry.directive.targets.map { (number, entry.directive, $0) }
      }
    }
    // A rule may start the same twice: the first goes on as the first.
    let raised = demands.values.filter { $0.raisedAt != nil }
      .sorted { ($0.raisedAt ?? 0, $0.demand.id) < ($1.raisedAt ?? 0, $1.demand.id) }
    for record in raised {
      if let place = wanted.firstIndex(where: {
        $0.directive == record.raisedBy && $0.target == record.demand.target
      }) {
        demands[record.demand.id]?.raisedAt = wanted.remove(at: place).number
      } else {
        release(record.demand.id)
      }
    }
    for (number, directive, target) in wanted {
      guard case .start(let client, let wants) = directive.action else { continue }
      start(target, for: client ?? ClientID(directive.rule.policy), wants: wants, by: directive, at: number)
    }
  }

  private mutating func perform(_ act: Act, by rule: RuleID) {
    effects.append(.act(rule, act))
    switch act {
    case .fix(let target, let accuracy, let timeout):
      let id = start(target, for: ClientID(rule.policy), wants: Wants(accuracy: accuracy), by: nil)
      demands[id]?.raisedBy = Directive(
        rule: rule, action: .start(client: nil, wants: Wants(accuracy: accuracy)), targets: [target])
      demands[id]?.expires = now + timeout
    case .flush(let targets):
      for target in targets { if let device = vocabulary.device(target) { flush(device) } }
    case .emit, .tell, .launch, .violation: break
    }
  }

  private mutating func flush(_ device: Int) {
    switch devices[device].manifest.kind {
    case .sensor where devices[device].setting.isHolding:
      effects.append(.drain(device: device, .flushed))
      restartHolds(device)
    case .radio:
      let waiting = devices[device].served.filter { demands[$0]?.progress == .waiting }
      if !waiting.isEmpty { carry(waiting, on: device, .flushed) }
    default: break
    }
  }
}
