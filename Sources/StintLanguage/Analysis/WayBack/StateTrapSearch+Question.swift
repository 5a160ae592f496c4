import StintModel

extension StateTrapSearch {
  /// The largest number of states through which a machine may pass without a wait in this search.
  private static let longestPassage = 3

  /// Returns values with which no exit becomes true while all of `devices` are off. With these values, rules
  /// also keep the devices of `kept` off. Nil when no such values exist.
  func search(
    _ states: [Int: Set<Int>], _ devices: Set<DeviceID>, keeping kept: Set<DeviceID>,
    _ exits: [(machine: Int, step: MachineStep)], by rules: [SwitchOffRule]? = nil
  ) -> [Witness.Reading]? {
    var list = ConditionList()
    let keepers = kept.sorted().map { device in
      (rules ?? offs).compactMap { off in keeper(off, of: device).map { list.places(of: $0) } }
    }
    if keepers.contains(where: \.isEmpty) { return nil }
    let exits = exits.map { list.place(of: $0.step.whole, machines[$0.machine].policy.name) }
    let entries = states.keys.sorted().compactMap { number in
      machines[number].entries(of: states[number] ?? []).map { steps in
        steps.map { list.place(of: $0.condition, machines[number].policy.name) }
      }
    }
    let offFacts = offFacts(devices, states)
    let passing = passing(states, offFacts).map { move in
      (move, list.place(of: move.step.whole, machines[move.machine].policy.name))
    }
    var world = OffDeviceConditions(
      list.conditions, offFacts: offFacts, schedules: schedules, vocabulary: vocabulary)
    let formulas = world.formulas
    let kept = keepers.map { rules in
      let now = Formula.or(
        rules.map { rule in
          .and([.certain(formulas[rule[0]])] + rule.dropFirst().map { .not(.certain(formulas[$0])) })
        })
      // A machine may pass through several states before it reaches a state in which a rule keeps the device
      // off.
      var later = now
      for _ in 0..<(passing.isEmpty ? 0 : Self.longestPassage) {
        later = .or(
          [now]
            + passing.map { move, place in
              let fact = machines[move.machine].path
              return .and([
                .certain(formulas[place]), world.formula(later, where: fact, is: move.step.target),
              ])
            })
      }
      return later
    }
    let parts =
      kept + exits.map { .not(.certain(formulas[$0])) }
      + entries.map { steps in .or(steps.map { world.wasPossible(formulas[$0]) }) }
    guard let readings = world.search(.and(parts)) else { return nil }
    // A rule that reads only facts of a client's request ends together with that request.
    if !readings.isEmpty, readings.allSatisfy({ offFacts.isOfClient($0.path) }) { return nil }
    return readings
  }

  /// Returns the transitions between these states that read only facts of devices that are off.
  ///
  /// Such a transition happens at once or never, because those facts cannot change. A transition with a `for`
  /// waits in its state, and is left out.
  ///
  /// A machine that may cycle is left out: it also has a transition between these states that reads a fact of
  /// another device and does not wait. The governor delays the transitions of a cycle, and the devices can be
  /// on during such a delay.
  private func passing(_ states: [Int: Set<Int>], _ offFacts: OffDeviceFacts) -> [(
    machine: Int, step: MachineStep
  )] {
    states.keys.sorted().flatMap { number -> [(machine: Int, step: MachineStep)] in
      let machine = machines[number]
      let inner = machine.steps.filter { states[number]?.isSuperset(of: [$0.source, $0.target]) == true }
      let passing = inner.filter { step in
        !step.countsInState && offFacts.isFixed(step.written)
      }
      let rest = inner.filter { !offFacts.isFixed($0.written) }
      return rest.allSatisfy { $0.wait != nil } ? passing.map { (number, $0) } : []
    }
  }

  /// Returns the condition of a rule that keeps the device off, and after it the conditions of the rules that
  /// override this rule on the device.
  ///
  /// - Returns: nil when the rule does not keep the device off, or when an overriding rule has no condition.
  private func keeper(_ off: SwitchOffRule, of device: DeviceID) -> [(CheckedExpression, policy: String)]? {
    guard off.targets.contains(device), let condition = off.rule.trigger.condition else { return nil }
    let others = (winners[off.rule.id] ?? []).filter { winner in
      winner.rule.directives.contains { $0.directive.targets.contains(device) }
    }
    let exits = others.compactMap { other in other.rule.trigger.condition.map { ($0, policy: other.policy) } }
    guard exits.count == others.count else { return nil }
    return ([(condition, policy: off.policy.name)] + exits).map { condition, policy in
      (condition.assumingDemands(on: [device]), policy: policy)
    }
  }
}

/// A list of conditions; the index of each condition is also the index of its formula.
private struct ConditionList {
  private(set) var conditions: [(CheckedExpression, policy: String)] = []

  mutating func place(of condition: CheckedExpression, _ policy: String) -> Int {
    conditions.append((condition, policy: policy))
    return conditions.count - 1
  }

  mutating func places(of list: [(CheckedExpression, policy: String)]) -> [Int] {
    list.map { place(of: $0.0, $0.policy) }
  }
}
