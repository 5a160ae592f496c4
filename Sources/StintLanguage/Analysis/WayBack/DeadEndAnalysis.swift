public import StintModel

/// Finds stops, pauses and defers without a way back: rules that nothing can end once they are in force.
///
/// A `while` or `always` rule ends when its condition is no longer true. While the rule keeps a sensor off,
/// the sensor publishes nothing. The sensor's facts keep their values. A fact with a `max_age` becomes
/// unknown, and a condition on the fact is then no longer true. Facts of other devices, clients and clocks
/// may still take any value. Directives of `when` and `every` rules end after their duration. A state machine
/// stays in a state when every transition out of the state needs a device that is off.
public enum DeadEndAnalysis {
  /// Returns the dead ends, ordered by kind. The kinds are: single rules, cycles of rules, state machines,
  /// alternating rules, defers, and `downgrade` directives.
  public static func deadEnds(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [DeadEnd] {
    let rules = SwitchOffRule.all(of: policies, vocabulary: vocabulary)
    var search = DeadEndSearch(policies, vocabulary: vocabulary)
    var found: [DeadEnd] = []
    var stuck: Set<Int> = []
    for (number, rule) in rules.enumerated() {
      let ends = search.deadEnds(of: rule)
      if !ends.isEmpty { stuck.insert(number) }
      found += ends
    }
    let circles = RuleCycles(rules, vocabulary: vocabulary, leavingOut: stuck)
    for circle in circles.all {
      if let end = search.deadEnd(of: circle.map { rules[$0] }) { found.append(end) }
    }
    let ending = rules.indices.filter { !stuck.contains($0) }.map { rules[$0] }
    let traps = StateTrapSearch(policies, ending, vocabulary: vocabulary)
    let stateTraps = traps.traps()
    found += stateTraps.map { StateTrapMessage($0, vocabulary).deadEnd }
    let known = Set(found.flatMap(\.devices))
    for group in traps.alternations() where !known.contains(group.device) {
      found.append(DeadEndMessage(vocabulary).alternating(group.rules, on: group.device, group.readings))
    }
    for policy in policies {
      for rule in policy.rules where !rule.isInert {
        found += rule.directives.compactMap { search.unreachableUntil($0, of: rule, policy) }
      }
    }
    found += downgradeTraps(policies, ending, besides: stateTraps, vocabulary)
    return found
  }

  /// Returns the states that machines never leave because of `downgrade` directives. These directives turn
  /// off the devices whose facts are necessary for the transitions. These findings are warnings: the policy
  /// still governs the devices.
  private static func downgradeTraps(
    _ policies: [CheckedPolicy], _ offs: [SwitchOffRule], besides known: [StateTrap], _ vocabulary: Vocabulary
  ) -> [DeadEnd] {
    let moving = SwitchOffRule.moving(policies, vocabulary: vocabulary)
    guard !moving.isEmpty else { return [] }
    return StateTrapSearch(policies, offs + moving, vocabulary: vocabulary).traps().filter { trap in
      let stopped = trap.rules.filter { !$0.isDowngrade }.reduce(into: Set()) { $0.formUnion($1.targets) }
      let moved = OffDeviceFacts(
        vocabulary: vocabulary, devices: Set(trap.devices).subtracting(stopped))
      return !known.contains { $0.shares(statesWith: trap) }
        && trap.machines.flatMap(\.exits).flatMap(\.written.facts).contains(where: moved.isLimited)
    }.map { StateTrapMessage($0, vocabulary, isWarning: true).deadEnd }
  }
}

/// A `while` or `always` rule that switches devices off.
struct SwitchOffRule {
  var policy: CheckedPolicy
  var rule: CheckedRule
  /// The directives that stop or pause devices, or that move the demands on them to a cheaper device.
  var directives: [CheckedDirective]
  /// The devices that turn off.
  var targets: Set<DeviceID>
  /// True when `downgrade` directives turn the devices off.
  var isDowngrade = false

  /// The sources of the facts that can end the rule. One new value of one such fact is sufficient.
  var ends: EndingFactSources

  static func all(of policies: [CheckedPolicy], vocabulary: Vocabulary) -> [SwitchOffRule] {
    var found: [SwitchOffRule] = []
    let started = Set(
      policies.flatMap(\.rules).flatMap(\.directives).compactMap { item in
        if case .start(let client, _) = item.directive.action { client } else { nil }
      })
    for policy in policies {
      for rule in policy.rules where rule.trigger.isLevel && !rule.isInert {
        // A rule that starts the device for an exempted client can keep the device on.
        let directives = rule.directives.filter {
          let directive = $0.directive
          return (directive.action == .stop || directive.action == .pause)
            && started.isDisjoint(with: directive.exceptions)
        }
        guard !directives.isEmpty else { continue }
        let targets = Set(directives.flatMap(\.directive.targets))
        let ends = EndingFactSources(rule.trigger.condition, vocabulary)
        found.append(
          SwitchOffRule(policy: policy, rule: rule, directives: directives, targets: targets, ends: ends))
      }
    }
    return found
  }

  /// Returns the `while` and `always` rules whose `downgrade` directives turn devices off: a cheaper device
  /// of the ladder serves all demands.
  static func moving(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [SwitchOffRule] {
    let moves = LadderMoves(policies, vocabulary: vocabulary)
    return policies.flatMap { policy in
      policy.rules.filter { $0.trigger.isLevel && !$0.isInert }.compactMap { rule in
        var directives: [CheckedDirective] = []
        var targets: Set<DeviceID> = []
        // A client that the rule exempts keeps the device on, and an `until` ends the directive.
        for item in rule.directives
        where item.ending == nil && item.until == nil && item.directive.exceptions.isEmpty {
          let off = item.directive.targets.compactMap { moves.move(by: item.directive, of: $0) }.flatMap(
            \.off)
          if off.isEmpty { continue }
          directives.append(item)
          targets.formUnion(off.map(\.device))
        }
        guard !directives.isEmpty else { return nil }
        return SwitchOffRule(
          policy: policy, rule: rule, directives: directives, targets: targets, isDowngrade: true,
          ends: EndingFactSources(rule.trigger.condition, vocabulary))
      }
    }
  }

  /// Returns the devices whose facts the condition reads, without the rule's own targets.
  func outsideSensors(_ vocabulary: Vocabulary) -> Set<DeviceID> {
    let devices = (rule.trigger.condition?.facts ?? []).compactMap { vocabulary.device(ofFact: $0) }
    return Set(devices).subtracting(targets)
  }
}
