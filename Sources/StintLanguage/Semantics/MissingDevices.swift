import StintModel

/// The remaining effect of a rule when optional devices are missing.
///
/// A directive keeps the targets that are present. A directive without a present target is removed. Facts of
/// a missing device are unknown: `screen.on or gyro.on` is true while the screen is on, and `screen.on and
/// gyro.on` is never true.
extension CheckedRule {
  /// True when no directive and no act remains.
  var doesNothing: Bool { directives.isEmpty && acts.isEmpty }

  /// True when no values of the remaining facts make the condition true.
  var neverHolds: Bool { trigger.condition.map { !$0.possible.contains(.yes) } ?? false }
}

extension CheckedExpression {
  /// Returns an expression that is always unknown.
  static func unknown(_ type: FactType, _ span: SourceSpan) -> CheckedExpression {
    CheckedExpression(kind: .constant(.unknown), type: type, span: span)
  }

  /// True when the expression has no known value, because it reads a missing device.
  package var isAlwaysUnknown: Bool {
    switch kind {
    case .constant(let value): value == .unknown
    case .and(let operands), .or(let operands): operands.allSatisfy(\.isAlwaysUnknown)
    case .implies(let left, let right): left.isAlwaysUnknown && right.isAlwaysUnknown
    default: children.contains(where: \.isAlwaysUnknown)
    }
  }

  /// True when a part of the expression reads a missing device.
  package var readsMissingDevice: Bool {
    if case .constant(.unknown) = kind { return true }
    return children.contains(where: \.readsMissingDevice)
  }

  /// The truth values that the condition may have when each of its facts may have any value.
  fileprivate var possible: TruthSet {
    var domain = PossibleTruths()
    return domain.value(of: self, at: ())
  }
}

/// The domain of truth values in which every fact may have any value. A `for` or `in last` may have the
/// values of its operand.
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
