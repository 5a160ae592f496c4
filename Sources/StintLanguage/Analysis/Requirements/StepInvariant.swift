import StintModel
import StintUnits

/// A claim that is true at every step, for all values of facts.
struct StepInvariant {
  /// The path of the fact that the invariant is about.
  let path: String
  let claim: Claim
  /// The reason why the claim is true, as text for people.
  let because: String
  /// The assumption about devices or clients that the invariant depends on, as text for people.
  let assuming: String

  /// Returns the invariant that a sensor is on only while `demanded` is true.
  ///
  /// `demanded` stays true during the linger time.
  static func onlyForDemands(_ device: DeviceID) -> StepInvariant {
    let on = CheckedExpression.fact(device.path + ".on", .boolean)
    let demanded = CheckedExpression(kind: .demanded(device), type: .boolean, span: .nowhere)
    return StepInvariant(
      path: device.path + ".on",
      claim: Claim(
        condition: CheckedExpression(kind: .implies(on, demanded), type: .boolean, span: .nowhere),
        policy: SolverContext.all, mode: .holds),
      because: "\(device) is on only for a demand", assuming: "\(device) follows its setting")
  }

  /// Returns the invariant that a device wakes at most `most` times per hour.
  static func wakesAtMost(_ most: Int, _ device: DeviceID, _ path: String) -> StepInvariant {
    // The fact is the number of wake-ups within one hour, as a rate per second.
    let limit = CheckedExpression(
      kind: .constant(.number(Double(most) / 3600)), type: .quantity(.rate), span: .nowhere)
    let count = CheckedExpression.fact(path, .quantity(.rate))
    return StepInvariant(
      path: path,
      claim: Claim(
        condition: CheckedExpression(
          kind: .compare(.lessOrEqual, count, limit), type: .boolean, span: .nowhere),
        policy: SolverContext.all, mode: .holds),
      because: "\(device) wakes at most \(most == 1 ? "once" : "\(most) times") in an hour",
      assuming: "clients keep their demands")
  }
}

extension SourceSpan {
  /// The span of expressions that are not part of any source.
  static let nowhere = SourceSpan(start: 0, end: 0)
}

extension CheckedExpression {
  static func fact(_ path: String, _ type: FactType) -> CheckedExpression {
    CheckedExpression(kind: .fact(path), type: type, span: .nowhere)
  }

  /// Returns the negation of a condition, with the span of the condition.
  static func negation(of condition: CheckedExpression) -> CheckedExpression {
    CheckedExpression(kind: .not(condition), type: .boolean, span: condition.span)
  }
}
