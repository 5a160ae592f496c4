import StintUnits

extension PlanGenerator {
  mutating func rule(_ name: String) -> PlanPolicy.Rule {
    let over =
      names.isEmpty || !once(in: 2) ? [] : Array(names.shuffled(using: &generator).prefix(number(1...2)))
    let trigger: PlanPolicy.Trigger
    switch number(0...9) {
    case 0: trigger = .always
    case 1...5: trigger = .whilst(condition(depth: 3))
    case 6...8: trigger = .when(condition(depth: 3), atMostOncePer: once(in: 4) ? number(2...8) : nil)
    default:
      let span = number(2...7)
      let flex = hasFlexibleRules && span > 4 ? span - 4 : nil
      trigger = .every(span, flex: flex, once(in: 3) ? nil : condition(depth: 2))
    }
    let isEdge =
      switch trigger {
      case .always, .whilst: false
      case .when, .every: true
      }
    var directives = (0..<number(isEdge ? 0...2 : 1...2)).map { _ in directive(isEdge: isEdge) }
    let acts = (0..<(isEdge ? number(0...2) : 0)).map { _ in act() }
    if directives.isEmpty, acts.isEmpty { directives = [directive(isEdge: isEdge)] }
    names.append("\(policy.name)/\(name)")
    return PlanPolicy.Rule(name: name, over: over, trigger: trigger, directives: directives, acts: acts)
  }

  private mutating func act() -> PlanPolicy.Act {
    switch number(0...5) {
    case 0, 1: .emit(pick(["seen", "heard"]))
    case 2: .tell("app-a", "well")
    case 3 where startDevices.contains(PlanWorld.Device.fast.rawValue):
      .fix(pick([10, 50, 100]), number(2...6))
    default: .launch("app-b")
    }
  }

  mutating func directive(isEdge: Bool, maySpend: Bool = true) -> PlanPolicy.Directive {
    var targets: [PlanWorld.Device] = pick([[.fast], [.fast], [.slow], [.fast, .slow]])
    let action: PlanPolicy.Action
    var hasOwnEnd = false
    switch number(0...9) {
    case 0, 1: action = .stop(except: once(in: 3) ? ["app-a"] : [])
    case 2, 3: action = .pause
    case 4:
      targets = [.fast]
      action = .limitAccuracy(pick([20, 50, 100, 500]))
    case 5: action = .slow(number(1...4))
    case 6:
      let bounds =
        [PlanPolicy.Bound.time(number(1...5)), .items(number(2...6))]
        + (targets == [.fast] ? [.metres(pick([100, 500]))] : [])
      action = .batch(Array(bounds.shuffled(using: &generator).prefix(number(1...2))))
    case 7:
      action = .deferred(until: condition(depth: 1), deadline: number(2...8))
      hasOwnEnd = true
    default:
      let allowed = targets.filter { startDevices.contains($0.rawValue) }
      guard maySpend, !allowed.isEmpty else {
        action = .pause
        break
      }
      targets = allowed
      let accuracy = targets == [.fast] && once(in: 2) ? pick([10, 50, 100]) : nil
      action = .start(
        client: once(in: 2) ? "app-b" : nil, accuracy: accuracy, period: once(in: 3) ? number(1...3) : nil)
    }
    let ending = isEdge && !hasOwnEnd ? self.ending() : nil
    return PlanPolicy.Directive(action: action, targets: targets, ending: ending)
  }

  private mutating func ending() -> PlanPolicy.Ending {
    let span = number(1...4)
    return PlanPolicy.Ending(
      span: span, doublingTo: once(in: 2) ? number(span...9) : nil, atMost: once(in: 3) ? number(1...3) : nil)
  }
}
