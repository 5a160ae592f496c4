public import StintLanguage
public import StintModel
import StintUnits

/// The suitable location service for a rule that requests positions, with the reason.
public struct ServiceAdvice: Hashable, Sendable {
  /// The rule that requests positions.
  public var rule: RuleID
  /// The cheapest service that satisfies the rule.
  public var service: LocationService
  /// The reason for the choice, as part of a sentence.
  public var reason: String

  /// Returns advice for each rule that requests positions, in the order of the policy file.
  ///
  /// The advice is `moves` only when the accuracy is 100 m or coarser, and the policy has no circle and no
  /// condition that waits for a stay.
  public static func all(for policy: CheckedPolicy, vocabulary: Vocabulary) -> [ServiceAdvice] {
    let reader = PolicyReader(policy, vocabulary)
    return policy.rules.filter { !$0.isInert }.compactMap { rule in
      reader.advice(for: rule).map { ServiceAdvice(rule: rule.id, service: $0.service, reason: $0.reason) }
    }
  }
}

/// Derives advice from the declarations and rules of a whole policy.
private struct PolicyReader {
  /// The accuracy in metres from which the service `moves` is precise enough.
  static let coarseFrom = 100.0
  /// Activities that need continuous positions.
  static let continuousActivities: Set<String> = ["automotive", "navigation", "airborne", "fitness"]
  /// The shortest `for` on a speed or an activity that counts as a wait for a stay.
  static let stay = TimeSpan.minutes(2)

  let policy: CheckedPolicy
  let vocabulary: Vocabulary
  let zones: [String]
  /// True when the condition of a rule waits for a stay, as `waitsForRest` detects it.
  let waitsForStay: Bool

  init(_ policy: CheckedPolicy, _ vocabulary: Vocabulary) {
    self.policy = policy
    self.vocabulary = vocabulary
    zones = policy.computed.compactMap { fact in
      guard case .zone(let zone, _) = fact.source, case .circle = zone.shape else { return nil }
      return fact.schema.path
    }
    let conditions = policy.rules.compactMap(\.trigger.condition)
    waitsForStay = conditions.contains { Self.waitsForRest($0) }
  }

  func advice(for rule: CheckedRule) -> (service: LocationService, reason: String)? {
    if rule.acts.contains(where: { if case .fix(let target, _, _) = $0 { isPosition(target) } else { false } }
    ) {
      return (.fix, "the rule needs single positions, and a request for one fix ends after the fix")
    }
    for checked in rule.directives {
      if case .locate(let zone) = checked.directive.action {
        return (
          .regions,
          "the rule needs to know only whether the host is inside \(Directive.Action.shortName(ofZone: zone)), "
            + "not its path"
        )
      }
      guard case .start(let client, let wants) = checked.directive.action,
        let target = checked.directive.targets.first(where: isPosition)
      else { continue }
      return advice(client, wants.completed(by: defaults(of: target)), target)
    }
    return nil
  }

  private func advice(
    _ client: ClientID?, _ wants: DemandSettings, _ target: DeviceID
  ) -> (service: LocationService, reason: String) {
    let accuracy = wants.accuracy ?? finest(of: target)
    let radius = Quantity(accuracy, .length)
    if let activity = wants.activity, Self.continuousActivities.contains(activity), accuracy < Self.coarseFrom
    {
      return (.updates, "“\(activity)” at \(radius) needs continuous positions")
    }
    if !zones.isEmpty {
      return (.regions, "the policy needs to know only whether the host is inside \(zones[0]), not its path")
    }
    if waitsForStay { return (.visits, "a rule waits for a stay, and visits report stays") }
    if accuracy < Self.coarseFrom {
      return (.updates, "regions, visits and moves are coarser than \(radius)")
    }
    return (.moves, "\(radius) is coarse, and the policy has no circle and no wait for a stay")
  }

  private func isPosition(_ device: DeviceID) -> Bool {
    ["latitude", "longitude", "accuracy"].allSatisfy { vocabulary.fact("\(device.path).\($0)") != nil }
  }

  private func defaults(of device: DeviceID) -> DemandSettings {
    policy.defaults.first { $0.device == device }?.wants ?? DemandSettings()
  }

  /// Returns the accuracy in metres that applies when the rule does not specify an accuracy.
  private func finest(of device: DeviceID) -> Double {
    let attribute = vocabulary.manifest(device)?.attribute(named: "accuracy")
    if case .number(let metres)? = attribute?.fallback { return metres }
    return attribute?.range?.lowerBound ?? Self.coarseFrom
  }

  /// Returns whether the expression contains a `for` of at least `stay` on a speed or on the activity.
  /// Examples are `motion.activity is still for 5 min` and `gps.speed < 1 m/s for 5 min`.
  private static func waitsForRest(_ expression: CheckedExpression) -> Bool {
    switch expression.kind {
    case .heldFor(let operand, let span, _):
      return span >= stay && operand.facts.contains { $0.hasSuffix(".speed") || $0 == "motion.activity" }
    case .not, .inLast, .oneOf, .and, .or, .implies: return expression.children.contains { waitsForRest($0) }
    default: return false
    }
  }
}
