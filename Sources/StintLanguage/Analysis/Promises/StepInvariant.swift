import StintModel
import StintUnits

/// Something that is so at every step, whatever facts say.
struct StepInvariant {
  /// The fact that it is about.
  let path: String
  let claim: Claim
  let because: String
  /// What is outside of the policies and must play along.
  let assuming: String

  /// A sensor is on only while it is demanded, or lingers after its last demand.
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

  /// A device wakes no more often than its bound.
  static func wakesAtMost(_ most: Int, _ device: DeviceID, _ path: String) -> StepInvariant {
    // As the governor counts: wake-ups in an hour, per second.
    let limit = CheckedExpression(
      kind: .constant(.number(Double(most) / 3600)), type: .quantity(.rate), span: .nowhere)
    let count = CheckedExpression.fact(path, .quantity(.rate))
    return StepInvariant(
      path: path,
      claim: Claim(
        condition: CheckedExpression(
          kind: .compare(.lessOrEqual, count, limit), type: .boolean, span: .nowhere),
        policy: SolverContext.all, mode: .holds),
      because: "\(device) wakes at most \(most) times in an hour", assuming: "clients keep their demands")
  }
}

extension SourceSpan {
  /// Of what stands in no text.
  static let nowhere = SourceSpan(start: 0, end: 0)
}

extension CheckedExpression {
  static func fact(_ path: String, _ type: FactType) -> CheckedExpression {
    CheckedExpression(kind: .fact(path), type: type, span: .nowhere)
  }

  /// The opposite, in the place of the condition.
  static func negation(of condition: CheckedExpression) -> CheckedExpression {
    CheckedExpression(kind: .not(condition), type: .boolean, span: condition.span)
  }
}
