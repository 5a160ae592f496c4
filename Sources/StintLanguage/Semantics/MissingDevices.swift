import StintModel

/// What is left of a rule where devices are missing that need not be there.
///
/// A directive keeps the targets that are there, and goes where none is. What a missing device would say is unknown, so
/// `screen.on or gyro.on` holds while the screen is on, and `screen.on and gyro.on` never.
extension CheckedRule {
  /// Whether no directive and no act is left.
  var doesNothing: Bool { directives.isEmpty && acts.isEmpty }

  /// Whether its condition cannot come true whatever the devices that are there say.
  var neverHolds: Bool { trigger.condition.map { !$0.possible.contains(.yes) } ?? false }
}

extension CheckedExpression {
  /// A value that nothing can tell.
  static func unknown(_ type: FactType, _ span: SourceSpan) -> CheckedExpression {
    CheckedExpression(kind: .constant(.unknown), type: type, span: span)
  }

  /// The truths that a condition may have, where everything that is said may be anything.
  fileprivate var possible: TruthSet {
    var domain = PossibleTruths()
    return domain.value(of: self, at: ())
  }
}

/// Conditions whose parts may each be anything, but for constants.
private struct PossibleTruths: ConditionDomain {
  mutating func leaf(_ part: CheckedExpression, at context: Void) -> TruthSet {
    switch part.kind {
    case .constant(let value): ConditionSpace.truth(of: value.number)
    case .heldFor(let operand, _, _), .inLast(let operand, _): value(of: operand, at: ())
    default: .any
    }
  }

  func negated(_ value: TruthSet) -> TruthSet { value.negated }
  func all(_ values: [TruthSet]) -> TruthSet { values.reduce(.yes) { $0.and($1) } }
  func any(_ values: [TruthSet]) -> TruthSet { values.reduce(.no) { $0.or($1) } }
}
