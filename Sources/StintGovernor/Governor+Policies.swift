import StintMachine
import StintModel
import StintUnits

extension Governor {
  /// Evaluates rules and performs transitions of state machines until nothing changes at this instant.
  mutating func propagate() {
    // A pulse is a fact that is true for one evaluation only. The loop terminates, because each pulse ends
    // after one evaluation and each state machine changes its state at most once per instant.
    repeat {
      evaluateRules()
      while advanceStateMachines() { evaluateRules() }
    } while endPulses()
    if publishRules() { evaluateRules() }
  }

  /// Evaluates the shared rules, then the per-demand rules, and applies the changes.
  mutating func evaluateRules() {
    let changes = rules.evaluate(at: now)
    if !changes.isEmpty {
      for change in changes {
        rules.note(change, at: now)
        follow(change)
      }
      rules.recycle(changes)
    }
    // Per-demand rules are evaluated second, so that demands started by shared rules take part in the same
    // step.
    guard !rules.perDemand.machines.isEmpty else { return }
    rules.evaluateDemands(at: now)
    for id in rules.perDemand.changed {
      if let record = demands[id] { devices.mark(record.target, .grants) }
    }
  }

  private mutating func follow(_ change: RuleVMChange) {
    switch change {
    case .began(let directive):
      touch(directive, isBeginning: true)
    case .ended(let directive):
      touch(directive, isBeginning: false)
    case .held(let rule, _):
      for device in rules.index.reach[rule] { devices.mark(device, .grants) }
    case .fired(let act, let rule): perform(act, by: rules.index.name(ofRule: rule))
    }
  }

  private mutating func touch(_ number: Int, isBeginning: Bool) {
    for device in rules.index.targets[number] { devices.mark(device, .grants) }
    if rules.index.isWatch[number] { sensing.invalidate() }
    guard rules.index.isStart[number], let image = rules.image else { return }
    let directive = image.directives[number].directive
    guard case .start(let client, let wants) = directive.action else { return }
    for target in directive.targets {
      if isBeginning {
        start(
          target, for: client ?? ClientID(directive.rule.policy), wants: wants, by: directive,
          at: number)
      } else {
        let ended = demands.all.filter { $0.directiveIndex == number && $0.demand.target == target }
        for record in ended.map(\.demand.id).sorted() { release(record) }
      }
    }
  }

  @discardableResult
  mutating func start(
    _ target: DeviceID, for client: ClientID, wants: DemandSettings, by directive: Directive?,
    at number: Int? = nil
  ) -> DemandID {
    let id = demands.nextRuleDemandID()
    raise(Demand(id: id, client: client, target: target, wants: wants))
    demands.mark(id, raisedBy: directive, at: number)
    return id
  }

  private mutating func perform(_ act: Act, by rule: RuleID) {
    effects.append(.act(rule, act))
    switch act {
    case .fix(let target, let accuracy, let timeout):
      let id = start(target, for: ClientID(rule.policy), wants: DemandSettings(accuracy: accuracy), by: nil)
      let start = Directive(
        rule: rule, action: .start(client: nil, wants: DemandSettings(accuracy: accuracy)), targets: [target]
      )
      demands.mark(id, raisedBy: start, at: nil, expires: now + timeout)
    case .flush(let targets):
      for target in targets { if let device = vocabulary.device(target) { flush(device) } }
    case .emit, .tell, .launch, .violation: break
    }
  }

  private mutating func flush(_ device: Int) {
    switch devices[device].model.kind {
    case .sensor where devices[device].setting.isHolding:
      effects.append(.drain(device: device, .flushed))
      restartHolds(device)
    case .radio:
      let waiting = devices[device].served.filter { demands[$0].progress == .waiting }
      if !waiting.isEmpty { startTransfers(waiting, on: device, .flushed) }
    default: break
    }
  }
}
