import StintModel

/// The truth values of conditions before or during a reading of a sensor.
///
/// Before the reading, the tests `known` and `age` find no value of the sensor, and `count` and `rate` are 0.
/// During the reading, the sensor's facts are known and new, it has a demand, and it is on. All other parts
/// can have any value.
struct TruthForReading: ConditionDomain {
  /// The sensor of the reading; nil for facts without a sensor, such as zones.
  let sensor: Manifest?
  /// The devices whose facts the reading can make known.
  let observed: Set<DeviceID>
  /// Returns the sensor of a fact; nil for a fact without a sensor.
  let device: (String) -> DeviceID?
  /// True during the reading.
  let works: Bool

  func negated(_ value: TruthSet) -> TruthSet { value.negated }
  func all(_ values: [TruthSet]) -> TruthSet { values.reduce(.yes) { $0.and($1) } }
  func any(_ values: [TruthSet]) -> TruthSet { values.reduce(.no) { $0.or($1) } }

  mutating func leaf(_ part: CheckedExpression, at context: Void) -> TruthSet {
    switch part.kind {
    case .inLast(let operand, _): return value(of: operand, at: ())
    case .heldFor(let operand, _, _):
      let value = value(of: operand, at: ())
      return works || value == .no ? value : .any
    default: return works ? whileRead(part) : whileUnread(part)
    }
  }

  private func whileUnread(_ part: CheckedExpression) -> TruthSet {
    switch part.kind {
    case .known(let path) where device(path).map(observed.contains) == true: .no
    case .age(let path, let comparison, _) where device(path).map(observed.contains) == true:
      comparison == .less || comparison == .lessOrEqual ? .no : .any
    case .compare(let comparison, let count, let limit):
      whileUnread(comparison, count, limit)
    default: .any
    }
  }

  /// Returns the truth value of a comparison before the reading. It is known if the comparison counts values
  /// of the sensor.
  private func whileUnread(
    _ comparison: Comparison, _ count: CheckedExpression, _ limit: CheckedExpression
  ) -> TruthSet {
    guard case .window(let function, let path, _) = count.kind, function.countsValues,
      device(path).map(observed.contains) == true, let limit = limit.constantNumber
    else { return .any }
    return comparison.holds(0, limit) ? .yes : .no
  }

  private func whileRead(_ part: CheckedExpression) -> TruthSet {
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
    default: return .any
    }
  }

  private func isRead(_ path: String) -> Bool { device(path).map { $0 == sensor?.device } ?? false }

  /// Returns the truth values of a test of the sensor's state, over all states of a sensor that works.
  private func states(_ fact: CheckedExpression, _ test: (Int) -> Bool) -> TruthSet {
    guard let sensor, case .fact(sensor.stateFact) = fact.kind, !sensor.workingStates.isEmpty else {
      return .any
    }
    return TruthSet(sensor.workingStates.map { test($0) ? .yes : .no })
  }
}
