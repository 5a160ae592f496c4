import StintModel
import StintUnits

/// Finds directives without effect. Examples are a limit that the device never exceeds, a batch of one item,
/// and an `over` that overrides nothing.
struct NoEffectSearch {
  let ruleTable: RuleTable

  func findings() -> [Finding] {
    var found: [Finding] = []
    let byName = Dictionary(ruleTable.rules.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for rule in ruleTable.rules {
      found += rule.directives.compactMap { finding($0, of: rule) }
      for loser in rule.overrides where !rule.lacksDevice {
        if let other = byName[loser], !other.lacksDevice, let finding = finding(rule, over: other) {
          found.append(finding)
        }
      }
    }
    return found
  }

  private func finding(_ directive: CheckedDirective, of rule: CheckedRule) -> Finding? {
    let manifests = directive.directive.targets.compactMap { ruleTable.vocabulary.manifest($0) }
    guard !manifests.isEmpty else { return nil }
    let what: String
    switch directive.directive.action {
    case .limitAccuracy(let accuracy):
      let isFinest = manifests.allSatisfy { manifest in
        manifest.attribute(named: "accuracy")?.range.map { accuracy <= $0.lowerBound } ?? false
      }
      guard isFinest else { return nil }
      what = "\(Quantity(accuracy, .length)) is the finest accuracy"
    case .slow(let period):
      let isFastest = manifests.allSatisfy { manifest in
        guard let range = manifest.attribute(named: "rate")?.range,
          let fastest = Quantity(range.upperBound, .rate).period
        else { return false }
        return period <= fastest
      }
      guard isFastest else { return nil }
      what = "one sample per \(period) is the fastest rate"
    case .batch(let bounds):
      guard bounds.contains(.items(1)) else { return nil }
      what = "a batch needs more than 1 item"
    case .limitAttributes(let values):
      let isDearest = manifests.allSatisfy { manifest in
        values.sorted.allSatisfy { manifest.attribute(named: $0.name)?.dearest == $0.value }
      }
      guard isDearest else { return nil }
      let isOne = values.sorted.count == 1
      what = "\(values.text) \(isOne ? "is the most expensive value" : "are the most expensive values")"
    case .start, .locate, .stop, .pause, .postpone, .serve, .stopService, .resume: return nil
    }
    let device = directive.directive.targets.count == 1 ? " of \(manifests[0].device)" : ""
    let isBatch = if case .batch = directive.directive.action { true } else { false }
    return Finding(
      Diagnostic(
        .noEffect, "this has no effect: \(what)\(isBatch ? "" : device)", severity: .warning,
        file: ruleTable.file(of: rule), labels: [Diagnostic.Label(span: directive.span, text: "no effect")],
        hint: isBatch
          ? "give a bound of more than one item"
          : "give a value that saves something, or remove the directive"))
  }

  /// Returns a finding for an `over` without effect. An `over` has no effect when `other` limits no device of
  /// `rule`, or when the two rules are never active at the same time.
  private func finding(_ rule: CheckedRule, over other: CheckedRule) -> Finding? {
    let limited = Set(other.directives.filter(\.directive.limits).flatMap(\.directive.targets))
    let shared = limited.intersection(rule.targets)
    let why: String
    if shared.isEmpty {
      why = "“\(other.id.rule)” limits no device of “\(rule.id.rule)”"
    } else if rule.trigger.isLevel && other.trigger.isLevel
      && ruleTable.solver.excludes([.inForce(rule), .inForce(other)])
      && !ruleTable.solver.excludes([.inForce(rule)]) && !ruleTable.solver.excludes([.inForce(other)])
    {
      why = "the two rules are never active at the same time"
    } else {
      return nil
    }
    return Finding(
      Diagnostic(
        .noEffect, "“\(rule.id.rule)” over “\(other.id.rule)” has no effect: \(why)", severity: .warning,
        file: ruleTable.file(of: rule),
        labels: [Diagnostic.Label(span: rule.span, text: "overrides nothing")],
        hint: "remove the “over”"))
  }
}
