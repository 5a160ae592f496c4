public import StintModel

/// Finds stops, pauses and defers without a way back: rules that nothing can end once they are in force.
///
/// A level rule ends when its condition is no longer true. While the rule keeps a sensor off, the sensor
/// publishes nothing. The sensor's facts keep their values. A fact with a `max_age` becomes unknown, and a
/// condition on the fact is then no longer true. Facts of other devices, clients and clocks may still take
/// any value. Directives of edge rules end after their duration. A state machine stays in a state when every
/// transition out of the state needs a device that is off.
public enum DeadEndAnalysis {
  /// Returns the dead ends: first those of single rules, then those of cycles of rules, of state machines, of
  /// alternating rules, and of defers.
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
  /// The directives that stop or pause devices.
  var directives: [CheckedDirective]
  /// The devices that the directives affect.
  var targets: Set<DeviceID>

  /// The sources of the facts that can end the rule. One new value of one such fact is sufficient.
  var ends: EndingFactSources

  static func all(of policies: [CheckedPolicy], vocabulary: Vocabulary) -> [SwitchOffRule] {
    var found: [SwitchOffRule] = []
    for policy in policies {
      for rule in policy.rules where rule.trigger.isLevel && !rule.isInert {
        let directives = rule.directives.filter {
          $0.directive.action == .stop || $0.directive.action == .pause
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

  /// Returns the devices whose facts the condition reads, without the rule's own targets.
  func outsideSensors(_ vocabulary: Vocabulary) -> Set<DeviceID> {
    let devices = (rule.trigger.condition?.facts ?? []).compactMap { vocabulary.schema($0)?.device }
    return Set(devices).subtracting(targets)
  }
}
