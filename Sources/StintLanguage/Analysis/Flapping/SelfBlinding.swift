import StintModel

/// Finds rules that turn off a device on which their own conditions depend.
///
/// - A `downgrade` moves the demands on a device to a cheaper device of its ladder. The cheaper device does
///   not publish a fact that the condition needs. The fact is published by the first device or by a device
///   between the two in the ladder.
/// - A `stop` or `pause` turns a device off, and the condition needs a fact of this device that has a
///   maximum age.
/// - A `downgrade`, `stop` or `pause` turns a device off, and the condition needs this device to be on.
///
/// A rule that only limits a device cannot turn this device on to read its facts. So the condition becomes
/// false or unknown while the device is off. The rule then ends, and the device turns on again.
enum SelfBlinding {
  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    let moves = LadderMoves(policies, vocabulary: vocabulary)
    return policies.flatMap { policy in
      policy.rules.filter { !$0.isInert }.compactMap { rule in
        effects(of: rule, moves, vocabulary).lazy
          .compactMap { finding(rule, $0, policy, vocabulary) }.first
      }
    }
  }

  /// An effect of a rule: devices turn off.
  private struct Effect {
    let item: CheckedDirective
    let target: DeviceID
    /// The device that then serves the demands on the target; nil when the rule stops or pauses the target.
    var substitute: Manifest?
    /// The devices that turn off.
    var off: [Manifest]

    /// The facts that become unknown when the devices turn off. After a `stop` or `pause`, a fact without a
    /// maximum age keeps its value. `DeadEndSearch` reports rules that need such a fact.
    var endingFacts: Set<String> {
      let facts = off.flatMap { device in device.facts.filter { device.isSensed($0) } }
      return Set(facts.filter { substitute != nil || $0.maxAge != nil }.map(\.path))
    }
  }

  /// Returns the effects of a `while` rule on the devices of its directives.
  private static func effects(of rule: CheckedRule, _ moves: LadderMoves, _ vocabulary: Vocabulary)
    -> [Effect]
  {
    guard case .whilst = rule.trigger else { return [] }
    return rule.directives.flatMap { item in
      item.directive.targets.compactMap { target -> Effect? in
        guard let manifest = vocabulary.manifest(target) else { return nil }
        switch item.directive.action {
        case .limitAccuracy:
          guard let move = moves.move(by: item.directive, of: target) else { return nil }
          return Effect(item: item, target: target, substitute: move.substitute, off: move.off)
        case .stop, .pause:
          // A `stop … for 5 min` continues after its rule has ended. A client that the rule exempts keeps the
          // device on.
          guard item.ending == nil, item.until == nil, item.directive.exceptions.isEmpty else { return nil }
          return Effect(item: item, target: target, off: [manifest])
        default: return nil
        }
      }
    }
  }

  private static func finding(
    _ rule: CheckedRule, _ effect: Effect, _ policy: CheckedPolicy, _ vocabulary: Vocabulary
  ) -> Finding? {
    guard let condition = rule.trigger.condition else { return nil }
    let states = Set(effect.off.flatMap(\.onFacts))
    let unknown = effect.endingFacts
    var survey = TruthWithout(unknown: unknown.subtracting(states), isFalse: states)
    guard let path = condition.facts.first(where: { unknown.contains($0) || states.contains($0) }),
      condition.reads(unknown.union(states)), !survey.value(of: condition, at: ()).canBeTrue,
      let device = effect.off.first(where: { off in
        off.facts.contains { $0.path == path }
          || states.contains(path) && path.hasPrefix(off.device.path + ".")
      })
    else { return nil }
    return Finding(
      states.contains(path)
        ? stateMessage(rule, effect, policy, condition, path, device.device)
        : factMessage(rule, effect, policy, condition, path, device.device, vocabulary))
  }

  // MARK: Messages

  private static func factMessage(
    _ rule: CheckedRule, _ effect: Effect, _ policy: CheckedPolicy, _ condition: CheckedExpression,
    _ path: String, _ device: DeviceID, _ vocabulary: Vocabulary
  ) -> Diagnostic {
    // A rule that only limits devices of a ladder cannot turn on another device of this ladder to read its
    // facts.
    let activity = "motion.activity"
    let isUsable = vocabulary.schema(activity) != nil && !effect.endingFacts.contains(activity)
    let remedy = isUsable ? activity : "a fact of another device, outside its ladder"
    let turnsOff =
      device == effect.target
      ? "it turns \(device) off" : "it moves the demands on \(effect.target) away from \(device)"
    return diagnostic(
      "“\(rule.id.rule)” ends itself: \(turnsOff), and only \(device) publishes \(path)", effect, policy,
      condition, path, "becomes unknown, and the rule ends",
      hint: "test \(remedy), or use “when” and limit the duration, as in: for 5 min")
  }

  private static func stateMessage(
    _ rule: CheckedRule, _ effect: Effect, _ policy: CheckedPolicy, _ condition: CheckedExpression,
    _ path: String, _ device: DeviceID
  ) -> Diagnostic {
    diagnostic(
      "“\(rule.id.rule)” ends itself: it turns \(device) off, and its condition needs \(path)", effect,
      policy, condition, path, "becomes false, and the rule ends",
      hint: "test demanded(\(policy.name(of: effect.target))), or use “when” and limit the duration, "
        + "as in: for 5 min"
    )
  }

  private static func diagnostic(
    _ title: String, _ effect: Effect, _ policy: CheckedPolicy, _ condition: CheckedExpression,
    _ path: String, _ label: String, hint: String
  ) -> Diagnostic {
    let action = effect.substitute.map { "moves the demands to \($0.device)" } ?? "turns the device off"
    return Diagnostic(
      .selfBlinding, title, severity: .warning, file: policy.file,
      labels: [
        Diagnostic.Label(span: condition.firstSpan(reading: path) ?? condition.span, text: label),
        Diagnostic.Label(span: effect.item.span, text: action),
      ],
      hint: hint)
  }
}

/// The truth values that a condition can have while some facts are unknown and other facts are false.
private struct TruthWithout: ConditionDomain {
  /// Whether a condition can be true, and whether it can be false.
  struct Values {
    var canBeTrue: Bool
    var canBeFalse: Bool
  }

  /// The paths of the unknown facts.
  let unknown: Set<String>
  /// The paths of the Boolean facts that are false.
  let isFalse: Set<String>

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
    // An `in last` remains true for its span after a device was on.
    case .inLast(let operand, _) where operand.reads(isFalse):
      return Values(canBeTrue: true, canBeFalse: true)
    case .heldFor(let operand, _, _), .inLast(let operand, _): return value(of: operand, at: ())
    case .known(let path) where unknown.contains(path): return Values(canBeTrue: false, canBeFalse: true)
    case .fact(let path) where isFalse.contains(path): return Values(canBeTrue: false, canBeFalse: true)
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
  /// known even when the window has no values.
  fileprivate func reads(_ facts: Set<String>) -> Bool {
    var found = false
    visit { part in
      switch part.kind {
      case .window(let function, _, _) where function.countsValues: break
      default: if let path = part.path, facts.contains(path) { found = true }
      }
    }
    return found
  }
}
