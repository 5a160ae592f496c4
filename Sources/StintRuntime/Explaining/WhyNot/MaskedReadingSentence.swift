import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// An explainer that states why no sensor works for a fact that a rule reads.
struct MaskedReadingSentence {
  let governor: Governor
  let policies: [CheckedPolicy]

  /// Returns the reason as a sentence without a full stop. When another part of the condition decides the
  /// rule, the sentence names this part with its present value.
  func sentence(_ reading: InactiveReading) -> String {
    switch reading.reason {
    case .noDemand(let devices):
      let names = devices.map(\.path)
      return "there is no demand on \(ConditionExplainer.list(names)), which the rule limits"
    case .nextProbe(let instant):
      return "the position is known well enough; the next probe begins at \(time(instant)), unless a new "
        + "position or a change of motion.activity changes this time"
    case .noPosition(let retry):
      return "no device found a position; the next attempt begins at \(time(retry))"
    case .keptOff(let rules):
      let names = rules.map(\.description)
      return "\(ConditionExplainer.list(names, "and")) \(rules.count == 1 ? "keeps" : "keep") the sensor off"
    case .noProvider:
      return "each device that could find the position is missing, or a rule keeps it off"
    case .observed:
      return "the condition tests the sensor with “known” or “age”, so the rule uses only values that other "
        + "demands provide"
    case .decidedByReading:
      return "once the sensor works, “known”, “age”, “on”, “powered”, “state” or “demanded” in the condition "
        + "decides the rule"
    case .decided(let guards):
      let paths = guards.map { governor.vocabulary.facts[$0].path }
      if let sentence = explanation(of: reading.rule, Set(paths)) { return sentence }
      guard !paths.isEmpty else { return "the time or a demand already decides the result of the rule" }
      return "\(paths.joined(separator: ", ")) alone \(paths.count == 1 ? "decides" : "decide") the rule"
    }
  }

  private func time(_ instant: Instant) -> String { LocalMoment(instant, governor.timeZone).description }

  /// Returns the sentence about the part of a rule's condition that decides the result with these facts. Nil
  /// when there is no such part.
  private func explanation(of id: RuleID, _ guards: Set<String>) -> String? {
    guard let policy = policies.first(where: { $0.name == id.policy }),
      let rule = policy.rules.first(where: { $0.id == id }), let condition = rule.trigger.condition
    else { return nil }
    let situation = Situation(governor, policy, id)
    guard let part = deciding(condition, guards, situation) else { return nil }
    let isTrue = situation.truth(part) == .yes
    return ConditionExplainer(situation).obstacle(part, to: !isTrue).sentence
  }

  /// Returns the first operand that alone decides an `and`, `or` or `implies` and reads exactly these facts.
  /// Nil when there is no such operand.
  private func deciding(
    _ part: CheckedExpression, _ guards: Set<String>, _ situation: Situation
  ) -> CheckedExpression? {
    let decisive: [(CheckedExpression, Truth)] =
      switch part.kind {
      case .and(let operands): operands.map { ($0, .no) }
      case .or(let operands): operands.map { ($0, .yes) }
      case .implies(let left, let right): [(left, .no), (right, .yes)]
      default: []
      }
    for (operand, truth) in decisive
    where situation.truth(operand) == truth && Set(operand.facts) == guards {
      return operand
    }
    return part.children.lazy.compactMap { deciding($0, guards, situation) }.first
  }
}
