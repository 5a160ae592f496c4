import StintModel
import StintUnits

/// Facts for which a condition is true at some moment: a cheap way to see that it does not imply another.
///
/// Facts that it does not name are unknown, unless the governor keeps them.
struct Sample {
  let ground: QuestionGround
  let facts: [String: Double]
  private(set) var demanded: [DeviceID: Bool]

  /// In nanoseconds since Monday midnight.
  let weekTime: Int64

  /// The facts of a witness, at this time of the week where it names none.
  init(_ witness: Witness, or weekTime: Int64, _ ground: QuestionGround) {
    self.weekTime = witness.weekTime?.nanoseconds ?? weekTime
    self.ground = ground
    facts = Dictionary(
      witness.readings.map { ($0.path, $0.value.number) }, uniquingKeysWith: { first, _ in first })
    demanded = Dictionary(
      witness.demands.map { ($0.device, $0.isDemanded) }, uniquingKeysWith: { first, _ in first })
  }

  /// The same while somebody demands the device; nil where nobody does.
  func demanding(_ device: DeviceID) -> Sample? {
    var sample = self
    if sample.demanded[device] == false { return nil }
    sample.demanded[device] = true
    return sample
  }

  /// What an unplaced condition may be, whatever was before.
  func truths(of condition: CheckedExpression) -> TruthSet {
    switch condition.kind {
    case .constant(let value): return ConditionSpace.truth(of: value.number)
    case .fact(let path): return atom(path) { ConditionSpace.truth(of: $0) }
    case .known(let path): return atom(path) { $0.isNaN ? .no : .yes }
    case .not(let operand): return truths(of: operand).negated
    case .and(let operands):
      return operands.reduce(into: TruthSet.yes) { $0 = $0.and(truths(of: $1)) }
    case .or(let operands):
      return operands.reduce(into: TruthSet.no) { $0 = $0.or(truths(of: $1)) }
    case .implies(let left, let right): return truths(of: left).negated.or(truths(of: right))
    case .compare(let operation, let left, let right):
      if let truth = ConditionSpace.constantTruth(condition) { return truth }
      guard let (number, limit) = ConditionSpace.sides(left, right), case .fact(let path)? = number.leaf
      else {
        return .any
      }
      let isTurned = left.affine?.leaf == nil && !left.isFact
      return atom(path) { value in
        let value = number.value(at: value)
        return isTurned
          ? ConditionSpace.truth(limit, operation, value) : ConditionSpace.truth(value, operation, limit)
      }
    case .oneOf(let operand, let values):
      guard case .fact(let path) = operand.kind else { return .any }
      return atom(path) { value in
        value.isNaN ? .unknown : values.contains { $0.number == value } ? .yes : .no
      }
    case .latch(let side, let value, _, let release):
      guard let number = value.affine, case .fact(let path)? = number.leaf, let end = release.constantNumber
      else { return .any }
      return atom(path) { value in
        let isOver = ConditionSpace.truth(number.value(at: value), side == .below ? .greater : .less, end)
        return isOver == .yes ? .no : isOver == .unknown ? .unknown : [.yes, .no]
      }
    case .demanded(let device): return demanded[device].map { $0 ? .yes : .no } ?? [.yes, .no]
    case .heldFor(let operand, _, tolerate: nil):
      let now = truths(of: operand)
      return now.contains(.yes) ? now.union(.no) : now
    case .inSchedule(let index):
      guard let list = ground.schedules[QuestionGround.all], list.indices.contains(index) else { return .any }
      return list[index].contains(weekTime) ? .yes : .no
    case .heldFor, .inLast, .age, .window, .arithmetic, .negate: return .any
    }
  }

  private func atom(_ path: String, _ truth: (Double) -> TruthSet) -> TruthSet {
    if let value = facts[path] { return truth(value) }
    return ground.kept.contains(path) ? .any : truth(.nan)
  }
}
