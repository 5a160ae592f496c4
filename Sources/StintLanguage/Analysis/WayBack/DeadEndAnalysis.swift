public import StintModel

/// Finds stops, pauses and defers without a way back: rules that, once in force, nothing can end any more.
///
/// A level rule ends when its condition is no longer true. While it keeps a sensor off, that sensor publishes
/// nothing, so its facts stay as they are; one with a `max_age` becomes unknown, and a rule acts only on true.
/// What other devices, clients and clocks say may still become anything. Rules of edges end by themselves. A machine
/// stays where it is while no move out of its state can come true without what is off.
public enum DeadEndAnalysis {
  /// Every dead end, in the order of the policies and their rules.
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
    found += traps.traps().map { StateTrapMessage($0, vocabulary).deadEnd }
    let known = Set(found.flatMap(\.devices))
    for group in traps.alternations() where !known.contains(group.device) {
      found.append(DeadEndMessage(vocabulary).alternating(group.rules, on: group.device, group.readings))
    }
    for policy in policies {
      for rule in policy.rules where !rule.isInert {
        found += rule.directives.compactMap { search.unreachableUntil($0, of: rule, policy) }
      }
    }
    return found
  }
}

/// A level rule that switches devices off.
struct SwitchOffRule {
  var policy: CheckedPolicy
  var rule: CheckedRule
  /// The directives that stop or pause.
  var directives: [CheckedDirective]
  /// The devices that they reach.
  var targets: Set<DeviceID>

  /// What can end it whatever the rest does.
  var ends: MonotoneEnds

  static func all(of policies: [CheckedPolicy], vocabulary: Vocabulary) -> [SwitchOffRule] {
    var found: [SwitchOffRule] = []
    for policy in policies {
      for rule in policy.rules where rule.trigger.isLevel && !rule.isInert {
        let directives = rule.directives.filter {
          $0.directive.action == .stop || $0.directive.action == .pause
        }
        guard !directives.isEmpty else { continue }
        let targets = Set(directives.flatMap(\.directive.targets))
        let ends = MonotoneEnds(rule.trigger.condition, vocabulary)
        found.append(
          SwitchOffRule(policy: policy, rule: rule, directives: directives, targets: targets, ends: ends))
      }
    }
    return found
  }

  /// The sensors, none of its own targets, whose facts its condition reads.
  func outsideSensors(_ vocabulary: Vocabulary) -> Set<DeviceID> {
    let devices = (rule.trigger.condition?.facts ?? []).compactMap { vocabulary.schema($0)?.device }
    return Set(devices).subtracting(targets)
  }
}
