import StintMachine
import StintModel
import StintUnits

extension Governor {
  /// Takes over what the machines that are in force now say of rules and directives.
  mutating func index(_ prepared: PreparedProgram) {
    let image = prepared.program.image.image
    inForce = Array(repeating: false, count: image.directives.count)
    isHeld = Array(repeating: false, count: image.rules.count)
    if let machine {
      for number in inForce.indices { inForce[number] = machine.isInForce(directive: number) }
      for rule in isHeld.indices { isHeld[rule] = machine.isHeld(rule: rule) }
    }
    if let clientRules {
      for rule in isHeld.indices where clientRules.holding[rule] > 0 { isHeld[rule] = true }
    }
    for (rule, use) in ruleUse where use.since != nil {
      let holds = prepared.rulesByName[rule]?.contains { isHeld[$0] } ?? false
      if !holds { note(rule, holds: false) }
    }
    overrides = prepared.overrides
    indexServices(prepared)
    reaching = prepared.reaching
  }

  /// Lets the machine settle and takes over what changed.
  mutating func runMachine() {
    // Pulses last for one settling, and each machine moves at most once, so this ends.
    repeat {
      evaluateRules()
      while !computed.isEmpty, moveMachines() { evaluateRules() }
    } while endPulses() || endNotedPulses()
    if !computed.isEmpty, publishRules() { evaluateRules() }
  }

  mutating func evaluateRules() {
    settleMachine()
    // What the common rules start is asked at once.
    if !demandMachines.isEmpty { settleDemands() }
  }

  private mutating func settleMachine() {
    machine?.settle(at: now, into: &changes)
    guard !changes.isEmpty, let image = program?.image.image else { return }
    var news: ContiguousArray<MachineChange> = []
    swap(&news, &changes)
    for change in news { take(change, image) }
    // The room goes back to where the next changes are told.
    news.removeAll(keepingCapacity: true)
    swap(&news, &changes)
  }

  private mutating func take(_ change: MachineChange, _ image: Image) {
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
      for directive in image.rules[rule].directives { dirty(image.directives[directive].directive.targets) }
    case .fired(let act, let rule):
      perform(act, by: image.rules[rule].id)
      // Rules that hold for a while have been counted when they began.
      if image.rules[rule].directives.isEmpty {
        ruleUse[image.rules[rule].id, default: RuleUse()].count += 1
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
  mutating func start(
    _ target: DeviceID, for client: ClientID, wants: Wants, by directive: Directive?, at number: Int? = nil
  ) -> DemandID {
    let id = DemandID(nextOwnDemand)
    nextOwnDemand -= 1
    raise(Demand(id: id, client: client, target: target, wants: wants))
    demands[id]?.raisedBy = directive
    demands[id]?.raisedAt = number
    return id
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
