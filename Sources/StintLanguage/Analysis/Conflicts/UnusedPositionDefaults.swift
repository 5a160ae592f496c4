import StintModel

/// Finds `accuracy` and `filter` defaults without effect. Policies use the device of such a default only for
/// visits or moves, which ignore these settings.
struct UnusedPositionDefaults {
  let ruleTable: RuleTable
  let policies: [CheckedPolicy]

  func findings() -> [Finding] { policies.flatMap { policy in policy.defaults.compactMap(finding) } }

  private func finding(_ defaults: CheckedDefaults) -> Finding? {
    let words = [
      defaults.wants.accuracy.map { _ in "accuracy" }, defaults.services.filter.map { _ in "filter" },
    ].compactMap { $0 }
    let device = defaults.device
    let hasFix = ruleTable.rules.flatMap(\.acts).contains { act in
      if case .fix(device, _, _) = act { true } else { false }
    }
    guard !words.isEmpty, !hasFix else { return nil }
    let uses = ruleTable.rules.flatMap { rule in
      rule.directives.filter { $0.directive.targets.contains(device) }.map { (rule, $0) }
    }
    guard let (rule, directive) = uses.first, uses.allSatisfy({ Self.watches($0.1.directive.action) }) else {
      return nil
    }
    let what = words.joined(separator: " and ")
    let verb = words.count == 1 ? "has" : "have"
    return Finding(
      Diagnostic(
        .noEffect,
        "\(what) of “default \(device)” \(verb) no effect: policies use the device only for visits or moves",
        severity: .warning, file: ruleTable.file(of: rule),
        labels: [Diagnostic.Label(span: directive.span, text: "ignores these settings")],
        hint: "remove them from the default, unless clients use \(device) themselves"))
  }

  private static func watches(_ action: Directive.Action) -> Bool {
    if case .serve(let word) = action { word.isWatched } else { false }
  }
}
