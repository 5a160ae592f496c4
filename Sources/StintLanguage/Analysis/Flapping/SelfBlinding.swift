import StintModel

/// Finds `downgrade` rules that make their own conditions unknown. Such a rule moves the demands on a device
/// to a cheaper device of the ladder. But the condition of the rule needs a fact that only the more expensive
/// device publishes.
///
/// A rule that only limits a device does not keep that device on by reading its facts. So the fact becomes
/// too old, the rule ends, and the device turns on again.
enum SelfBlinding {
  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    policies.flatMap { policy in
      policy.rules.filter { !$0.isInert }.compactMap { finding($0, policy, vocabulary) }
    }
  }

  private static func finding(
    _ rule: CheckedRule, _ policy: CheckedPolicy, _ vocabulary: Vocabulary
  ) -> Finding? {
    guard case .whilst(let condition) = rule.trigger else { return nil }
    for item in rule.directives {
      guard case .limitAccuracy(let metres) = item.directive.action else { continue }
      for target in item.directive.targets {
        guard let manifest = vocabulary.manifest(target), let other = substitute(manifest, metres, vocabulary)
        else { continue }
        let own = Set(manifest.facts.filter { manifest.isSensed($0) }.map(\.path))
        var survey = TruthWithout(unknown: own)
        guard let path = condition.facts.first(where: { own.contains($0) }),
          condition.reads(own), !survey.value(of: condition, at: ()).canBeTrue
        else { continue }
        return Finding(message(rule, item, policy, condition, path, target, other, vocabulary))
      }
    }
    return nil
  }

  /// Returns the device that serves the demands within the limit; nil when the device itself continues.
  private static func substitute(
    _ manifest: Manifest, _ metres: Double, _ vocabulary: Vocabulary
  ) -> Manifest? {
    guard let ladder = manifest.ladder else { return nil }
    return vocabulary.manifests
      .filter { other in
        guard let place = other.ladder, place.name == ladder.name, other.device != manifest.device else {
          return false
        }
        return place.rank < ladder.rank && place.serves.map { $0 <= metres } ?? true
      }
      .min { ($0.ladder?.rank ?? 0) < ($1.ladder?.rank ?? 0) }
  }

  private static func message(
    _ rule: CheckedRule, _ item: CheckedDirective, _ policy: CheckedPolicy, _ condition: CheckedExpression,
    _ path: String, _ target: DeviceID, _ other: Manifest, _ vocabulary: Vocabulary
  ) -> Diagnostic {
    // A rule that only limits a ladder does not turn on another device of this ladder by reading its facts.
    let activity = "motion.activity"
    let remedy = vocabulary.schema(activity) == nil ? "a fact of a device outside the ladder" : activity
    return Diagnostic(
      .selfBlinding,
      "“\(rule.id.rule)” ends itself: it turns \(target) off, and only \(target) publishes \(path)",
      severity: .warning, file: policy.file,
      labels: [
        Diagnostic.Label(
          span: condition.firstSpan(reading: path) ?? condition.span,
          text: "becomes unknown, and the rule ends"),
        Diagnostic.Label(span: item.span, text: "moves the demands to \(other.device)"),
      ],
      hint: "test \(remedy), or use “when” and limit the duration, as in: for 5 min")
  }
}

/// The truth values that a condition can have while some facts are unknown.
private struct TruthWithout: ConditionDomain {
  /// The truth values other than unknown.
  struct Values {
    var canBeTrue: Bool
    var canBeFalse: Bool
  }

  /// The paths of the unknown facts.
  let unknown: Set<String>

  func negated(_ value: Values) -> Values {
    Values(canBeTrue: value.canBeFalse, canBeFalse: value.canBeTrue)
  }

  func all(_ values: [Values]) -> Values {
    Values(
      canBeTrue: values.allSatisfy(\.canBeTrue), canBeFalse: values.contains(where: \.canBeFalse))
  }

  func any(_ values: [Values]) -> Values {
    Values(
      canBeTrue: values.contains(where: \.canBeTrue), canBeFalse: values.allSatisfy(\.canBeFalse))
  }

  mutating func leaf(_ part: CheckedExpression, at context: Void) -> Values {
    switch part.kind {
    case .heldFor(let operand, _, _), .inLast(let operand, _): return value(of: operand, at: ())
    case .known(let path) where unknown.contains(path): return Values(canBeTrue: false, canBeFalse: true)
    // The age of a fact also grows while the fact is unknown.
    case .age: return Values(canBeTrue: true, canBeFalse: true)
    default:
      let isKnown = !part.reads(unknown)
      return Values(canBeTrue: isKnown, canBeFalse: isKnown)
    }
  }
}

extension CheckedExpression {
  /// Returns whether the condition reads the value of one of these facts. The number of values in a window is
  /// known also without values.
  fileprivate func reads(_ facts: Set<String>) -> Bool {
    var found = false
    visit { part in
      switch part.kind {
      case .window(.count, _, _), .window(.rate, _, _): break
      default: if let path = part.path, facts.contains(path) { found = true }
      }
    }
    return found
  }
}
