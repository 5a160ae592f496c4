import StintModel
import StintUnits

/// Finds limits on noisy facts that switch a device on and off although each start costs energy. A limit with
/// `release` or `for` is not reported.
///
/// The manifest marks noisy facts. Directives of `when` and `every` rules do not count as flapping, because
/// they end after their duration. Acts of a rule with a minimum interval do not count either.
enum Flapping {
  static func findings(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [Finding] {
    var found: [Finding] = []
    for policy in policies {
      for rule in policy.rules where !rule.isInert {
        guard let condition = rule.trigger.condition, let toggle = Toggle(rule, vocabulary) else { continue }
        for limit in NoisyLimit.all(in: condition, vocabulary) {
          guard let witness = limit.witness(condition, of: policy.name, vocabulary) else { continue }
          found.append(Finding(message(limit, toggle, rule, policy, witness), witness: witness))
          break
        }
      }
    }
    return found
  }

  private static func message(
    _ limit: NoisyLimit, _ toggle: Toggle, _ rule: CheckedRule, _ policy: CheckedPolicy, _ witness: Witness
  ) -> Diagnostic {
    let values = witness.readings.suffix(2).map { limit.schema.text(of: $0.value) }.joined(separator: " and ")
    let release =
      limit.isUpper
      ? "above \(limit.shown) release \(limit.shown(0.8))"
      : "below \(limit.shown) release \(limit.shown(1.25))"
    return Diagnostic(
      .flapping,
      "“\(rule.id.rule)” switches \(toggle.device) on and off when \(limit.schema.path) fluctuates around "
        + limit.shown, severity: .warning, file: policy.file,
      labels: [
        Diagnostic.Label(span: limit.span, text: "for example between \(values)"),
        Diagnostic.Label(span: toggle.span, text: toggle.cost),
      ], hint: "add a release, as in: \(release); or a hold time, as in: for 2 min")
  }
}

/// The device that a rule switches each time its condition changes.
private struct Toggle {
  var device: DeviceID
  /// The cost of one start, as text for people.
  var cost: String
  var span: SourceSpan

  init?(_ rule: CheckedRule, _ vocabulary: Vocabulary) {
    var candidates: [(DeviceID, SourceSpan)] = []
    switch rule.trigger {
    case .always, .every: return nil
    case .whilst:
      for directive in rule.directives {
        switch directive.directive.action {
        case .start, .stop, .pause, .postpone:
          candidates += directive.directive.targets.map { ($0, directive.span) }
        case .locate, .limitAccuracy, .slow, .limitAttributes, .batch, .serve, .stopService, .resume:
          continue
        }
      }
    case .when(_, let atMost):
      guard atMost == nil else { return nil }
      for act in rule.acts {
        switch act {
        case .fix(let target, _, _): candidates.append((target, rule.span))
        case .flush(let targets): candidates += targets.map { ($0, rule.span) }
        case .emit, .tell, .launch, .violation: continue
        }
      }
    }
    for (device, span) in candidates {
      guard let cost = vocabulary.manifest(device)?.startUpCost else { continue }
      self.device = device
      self.cost = cost
      self.span = span
      return
    }
    return nil
  }
}
