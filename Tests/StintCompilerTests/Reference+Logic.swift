import StintLanguage
import StintModel

extension Reference {
  static func negated(_ value: FactValue) -> FactValue {
    if case .boolean(let truth) = value { .boolean(!truth) } else { .unknown }
  }

  /// Returns `decisive` when one operand has this value. When no operand has it, returns unknown if an
  /// operand is unknown, and the opposite of `decisive` otherwise.
  func joined(_ operands: [CheckedExpression], decisive: Bool) -> [FactValue] {
    let all = operands.map { series($0) }
    return Story.moments.indices.map { moment in
      let values = all.map { $0[moment] }
      if values.contains(.boolean(decisive)) { return .boolean(decisive) }
      return values.contains(.unknown) ? .unknown : .boolean(!decisive)
    }
  }

  static func compared(_ left: FactValue, _ comparison: Comparison, _ right: FactValue) -> FactValue {
    switch (left, right) {
    case (.unknown, _), (_, .unknown): .unknown
    case (.number(let left), .number(let right)): .boolean(holds(left, comparison, right))
    default: .boolean((left == right) == (comparison == .equal))
    }
  }

  static func holds<Value: Comparable>(_ left: Value, _ comparison: Comparison, _ right: Value) -> Bool {
    switch comparison {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .equal: left == right
    case .notEqual: left != right
    }
  }

  static func calculated(_ left: FactValue, _ operation: Arithmetic, _ right: FactValue) -> FactValue {
    guard case .number(let left) = left, case .number(let right) = right else { return .unknown }
    let result =
      switch operation {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      case .larger: [left, right].max() ?? left
      case .smaller: [left, right].min() ?? left
      }
    return result.isFinite ? .number(result) : .unknown
  }
}
