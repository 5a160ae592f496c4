import StintModel

/// The truth values of conditions while the sensor of a rule works: its facts are known and new, and the
/// sensor is on. All other parts can have any value.
struct TruthWhileRead: ConditionDomain {
  /// Returns whether a fact is known because the sensor works.
  let isRead: (String) -> Bool
  /// The facts `on` and `powered` of the sensor, which are true.
  let onFacts: [String]

  func negated(_ value: TruthSet) -> TruthSet { value.negated }
  func all(_ values: [TruthSet]) -> TruthSet { values.reduce(.yes) { $0.and($1) } }
  func any(_ values: [TruthSet]) -> TruthSet { values.reduce(.no) { $0.or($1) } }

  mutating func leaf(_ part: CheckedExpression, at context: Void) -> TruthSet {
    switch part.kind {
    case .known(let path) where isRead(path): return .yes
    case .fact(let path) where onFacts.contains(path): return .yes
    case .age(let path, let comparison, _) where isRead(path):
      return comparison == .less || comparison == .lessOrEqual ? .yes : .no
    case .heldFor(let operand, _, _), .inLast(let operand, _):
      let value = value(of: operand, at: ())
      if case .inLast = part.kind, value == .no { return .any }
      return value
    default: return .any
    }
  }
}
