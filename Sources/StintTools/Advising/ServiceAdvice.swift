public import StintLanguage
public import StintModel
import StintUnits

/// Which location service would do what a rule does, and why that one.
public struct ServiceAdvice: Hashable, Sendable {
  public var rule: RuleID
  public var service: LocationService
  /// Half a sentence.
  public var reason: String

  /// The advice for each rule of a policy that asks for positions, in the order of the file.
  ///
  /// Significant changes are chosen last: only where no metres are needed, nothing has to be followed without a gap,
  /// and neither regions nor visits fit.
  public static func all(for policy: CheckedPolicy, vocabulary: Vocabulary) -> [ServiceAdvice] {
    let reader = PolicyReader(policy, vocabulary)
    return policy.rules.filter { !$0.isInert }.compactMap { rule in
      reader.advice(for: rule).map { ServiceAdvice(rule: rule.id, service: $0.service, reason: $0.reason) }
    }
  }
}

/// What a policy as a whole makes of positions.
private struct PolicyReader {
  /// Below this, metres matter.
  static let metres = 100.0
  /// What one does that is followed without a gap.
  static let followed: Set<String> = ["automotive", "navigation", "airborne", "fitness"]
  /// What lasts this long is a stay.
  static let stay = TimeSpan.minutes(2)

  let policy: CheckedPolicy
  let vocabulary: Vocabulary
  let zones: [String]
  let staying: Bool

  init(_ policy: CheckedPolicy, _ vocabulary: Vocabulary) {
    self.policy = policy
    self.vocabulary = vocabulary
    zones = policy.computed.compactMap { fact in
      guard case .zone(let zone, _) = fact.source, case .circle = zone.shape else { return nil }
      return fact.schema.path
    }
    let conditions = policy.rules.compactMap(\.trigger.condition)
    staying = conditions.contains { Self.waitsForRest($0) }
  }

  func advice(for rule: CheckedRule) -> (service: LocationService, reason: String)? {
    if rule.acts.contains(where: { if case .fix(let target, _, _) = $0 { isPosition(target) } else { false } }
    ) {
      return (.fix, "it wants one position at a time, and a fix switches itself off")
    }
    for checked in rule.directives {
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
    if let activity = wants.activity, Self.followed.contains(activity), accuracy < Self.metres {
      return (.updates, "“\(activity)” at \(radius) is followed without a gap")
    }
    if !zones.isEmpty { return (.regions, "what counts is \(zones[0]): a circle, not the way there") }
    if staying { return (.visits, "what counts is a stay, not the way there") }
    if accuracy < Self.metres {
      return (.updates, "\(radius) is metres, which neither regions nor visits nor moves give")
    }
    return (.moves, "\(radius) needs no metres, and nothing names a circle or waits for a stay")
  }

  private func isPosition(_ device: DeviceID) -> Bool {
    ["latitude", "longitude", "accuracy"].allSatisfy { vocabulary.fact("\(device.path).\($0)") != nil }
  }

  private func defaults(of device: DeviceID) -> DemandSettings {
    policy.defaults.first { $0.device == device }?.wants ?? DemandSettings()
  }

  /// What an open accuracy comes to.
  private func finest(of device: DeviceID) -> Double {
    let attribute = vocabulary.manifest(device)?.attribute(named: "accuracy")
    if case .number(let metres)? = attribute?.fallback { return metres }
    return attribute?.range?.lowerBound ?? Self.metres
  }

  /// Whether it waits until nothing moves for a while: `motion.activity is still for 5 min`,
  /// `gps.speed < 1 m/s for 5 min`.
  private static func waitsForRest(_ expression: CheckedExpression) -> Bool {
    switch expression.kind {
    case .heldFor(let operand, let span, _):
      return span >= stay && operand.facts.contains { $0.hasSuffix(".speed") || $0 == "motion.activity" }
    case .not, .inLast, .oneOf, .and, .or, .implies: return expression.children.contains { waitsForRest($0) }
    default: return false
    }
  }
}
