import StintModel
import StintUnits

/// Warns about `start` directives with missing or expensive settings.
///
/// There are four findings: a missing accuracy, a receiver that stays on, a vehicle activity in a rule for
/// walking or running, and a demand that stays active in the background without an end.
///
/// Only devices with an `activity` setting are examined.
struct StartAdvice {
  /// The longest time for which a receiver may stay on without a finding.
  private static let longestOnTime = TimeSpan.minutes(10)
  /// The shortest period at which a receiver can switch off between two fixes.
  private static let shortestRestPeriod = TimeSpan.seconds(10)
  /// The activities for which a receiver may stay on: guidance and track recording.
  private static let continuousActivities: Set<String> = ["automotive", "navigation", "airborne", "fitness"]
  private static let vehicleActivities: Set<String> = ["automotive", "navigation", "airborne"]
  private static let walkingActivities: Set<String> = ["walking", "running"]

  let vocabulary: Vocabulary
  let policies: [CheckedPolicy]

  func findings() -> [Finding] {
    policies.flatMap { policy in
      policy.rules.filter { !$0.isInert }.flatMap { rule in
        rule.directives.flatMap { findings($0, of: rule, policy) }
      }
    }
  }

  private func findings(
    _ directive: CheckedDirective, of rule: CheckedRule, _ policy: CheckedPolicy
  ) -> [Finding] {
    guard case .start(_, let own) = directive.directive.action else { return [] }
    var found: [Finding] = []
    for target in directive.directive.targets {
      // Only devices with an activity setting follow a person's movement.
      guard let manifest = vocabulary.manifest(target), manifest.attribute(named: "activity") != nil else {
        continue
      }
      let wants = completed(own, target)
      let accuracy = wants.accuracy
      if accuracy == nil, own != DemandSettings() {
        found.append(accuracyLeftOpen(target, directive, policy))
      } else if let accuracy, keepsOn(manifest, accuracy, wants, directive) {
        found.append(receiverStaysOn(target, accuracy, directive, policy))
      }
      if let activity = wants.activity, Self.vehicleActivities.contains(activity),
        rule.trigger.condition?.conjuncts.contains(where: isOnFoot) == true
      {
        found.append(activityUnfit(activity, directive, policy))
      }
      if wants.background == true, rule.trigger == .always {
        found.append(backgroundForGood(target, directive, policy))
      }
    }
    return found
  }

  private func completed(_ wants: DemandSettings, _ target: DeviceID) -> DemandSettings {
    policies.flatMap(\.defaults).filter { $0.device == target }
      .reduce(wants) { $0.completed(by: $1.wants) }
  }

  /// Returns true when the device may stay on for long without switching off between fixes.
  ///
  /// Returns false when the `activity` setting justifies this, or when a cheaper device meets the accuracy.
  private func keepsOn(
    _ manifest: Manifest, _ accuracy: Double, _ wants: DemandSettings, _ directive: CheckedDirective
  ) -> Bool {
    let isShort = directive.ending.map { ($0.doublingTo ?? $0.duration) <= Self.longestOnTime } ?? false
    let rests = wants.period.map { $0 >= Self.shortestRestPeriod } ?? false
    return !vocabulary.hasCheaperDevice(manifest, accuracy) && !isShort && !rests
      && !Self.continuousActivities.contains(wants.activity ?? "")
  }

  /// Returns true when this part of a condition tests that `motion.activity` is walking or running. The test
  /// may be inside `for` or `in last`.
  private func isOnFoot(_ part: CheckedExpression) -> Bool {
    switch part.kind {
    case .heldFor(let operand, _, _), .inLast(let operand, _): return isOnFoot(operand)
    case .oneOf(let fact, let values):
      guard case .fact("motion.activity") = fact.kind, case .symbol(let words) = fact.type else {
        return false
      }
      return values.allSatisfy { value in
        guard case .symbol(let word) = value, words.indices.contains(word) else { return false }
        return Self.walkingActivities.contains(words[word])
      }
    default: return false
    }
  }

  // MARK: Messages

  private func accuracyLeftOpen(
    _ target: DeviceID, _ directive: CheckedDirective, _ policy: CheckedPolicy
  ) -> Finding {
    finding(
      .accuracyLeftOpen, "this start of \(target) gives no accuracy", directive, policy,
      hint: "give the coarsest accuracy that is sufficient, as in: accuracy 100 m")
  }

  private func receiverStaysOn(
    _ target: DeviceID, _ accuracy: Double, _ directive: CheckedDirective, _ policy: CheckedPolicy
  ) -> Finding {
    finding(
      .receiverStaysOn,
      "\(target) may stay on for longer than \(Self.longestOnTime) for an accuracy of "
        + "\(Quantity(accuracy, .length))", directive, policy,
      hint:
        "name the guidance activity, as in: activity automotive; or lower the rate, as in: rate 1 per 1 min"
    )
  }

  private func activityUnfit(
    _ activity: String, _ directive: CheckedDirective, _ policy: CheckedPolicy
  ) -> Finding {
    finding(
      .activityUnfit,
      "activity \(activity) is for vehicles, and this rule is active while the user walks or runs", directive,
      policy,
      hint: "on foot, write: activity fitness")
  }

  private func backgroundForGood(
    _ target: DeviceID, _ directive: CheckedDirective, _ policy: CheckedPolicy
  ) -> Finding {
    finding(
      .backgroundForGood, "\(target) stays on in the background without an end", directive,
      policy,
      hint: "give the rule a condition, as in: rule … while track.recording { … }; or leave background off")
  }

  private func finding(
    _ code: DiagnosticCode, _ title: String, _ directive: CheckedDirective, _ policy: CheckedPolicy,
    hint: String
  ) -> Finding {
    Finding(
      Diagnostic(
        code, title, severity: .warning, file: policy.file,
        labels: [Diagnostic.Label(span: directive.span, text: "")], hint: hint))
  }
}
