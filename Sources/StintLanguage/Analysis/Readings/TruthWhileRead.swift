import StintModel

/// The truth values of conditions while the sensor of a rule works: its facts are known and new, it has a
/// demand, and it is on. All other parts can have any value.
struct TruthWhileRead: ConditionDomain {
  /// The sensor that works; nil for facts without a sensor, such as zones.
  let sensor: Manifest?
  /// Returns whether a fact is known because the sensor works.
  let isRead: (String) -> Bool

  func negated(_ value: TruthSet) -> TruthSet { value.negated }
  func all(_ values: [TruthSet]) -> TruthSet { values.reduce(.yes) { $0.and($1) } }
  func any(_ values: [TruthSet]) -> TruthSet { values.reduce(.no) { $0.or($1) } }

  mutating func leaf(_ part: CheckedExpression, at context: Void) -> TruthSet {
    switch part.kind {
    case .known(let path) where isRead(path) || path == sensor?.stateFact: return .yes
    case .fact(let path) where sensor?.onFacts.contains(path) == true: return .yes
    case .demanded(let device) where device == sensor?.device: return .yes
    case .age(let path, let comparison, _) where isRead(path):
      return comparison == .less || comparison == .lessOrEqual ? .yes : .no
    case .compare(let comparison, let fact, let value):
      guard case .constant(.symbol(let state)) = value.kind else { return .any }
      return states(fact) { comparison.holds(Double($0), Double(state)) }
    case .oneOf(let fact, let values):
      return states(fact) { values.contains(.symbol($0)) }
    case .heldFor(let operand, _, _), .inLast(let operand, _):
      let value = value(of: operand, at: ())
      if case .inLast = part.kind, value == .no { return .any }
      return value
    default: return .any
    }
  }

  /// Returns the truth values of a test of the sensor's state, over all states of a sensor that works.
  private func states(_ fact: CheckedExpression, _ test: (Int) -> Bool) -> TruthSet {
    guard let sensor, case .fact(sensor.stateFact) = fact.kind, !sensor.workingStates.isEmpty else {
      return .any
    }
    return TruthSet(sensor.workingStates.map { test($0) ? .yes : .no })
  }
}
