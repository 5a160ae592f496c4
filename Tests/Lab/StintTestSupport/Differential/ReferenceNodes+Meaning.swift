import StintModel

/// Defines the operators by the complete histories of their operands.
extension ReferenceNodes {
  /// Returns `decisive` when one operand has that value. Otherwise, an unknown operand makes the result
  /// unknown. When no operand is unknown, returns the opposite of `decisive`.
  func joined(_ operands: [Node], decisive: Bool) -> FactValue {
    let isAny = { (value: FactValue) in operands.contains { $0.history[times.count - 1] == value } }
    if isAny(.boolean(decisive)) { return .boolean(decisive) }
    return isAny(.unknown) ? .unknown : .boolean(!decisive)
  }

  static func compared(_ left: FactValue, _ comparison: Comparison, _ right: FactValue) -> FactValue {
    guard case .number(let left) = left, case .number(let right) = right else { return .unknown }
    return .boolean(holds(left, comparison, right))
  }

  static func lies(_ value: FactValue, from low: FactValue, to high: FactValue) -> FactValue {
    guard case .number(let value) = value, case .number(let low) = low, case .number(let high) = high else {
      return .unknown
    }
    return .boolean(low <= high && (low...high).contains(value))
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
    switch operation {
    case .add: return .number(left + right)
    case .subtract: return .number(left - right)
    case .multiply: return .number(left * right)
    case .divide: return right == 0 ? .unknown : .number(left / right)
    case .larger: return .number([left, right].max() ?? left)
    case .smaller: return .number([left, right].min() ?? left)
    }
  }

  static func clamped(_ value: FactValue, from low: FactValue, to high: FactValue) -> FactValue {
    guard case .number(let value) = value, case .number(let low) = low, case .number(let high) = high else {
      return .unknown
    }
    return .number(value < low ? low : value > high ? high : value)
  }

  /// Returns the result of a hysteresis: true after the value has passed its threshold, until it passes its
  /// release value. Unknown while an operand is unknown.
  func latched(_ side: LatchSide, _ operands: [Node]) -> FactValue {
    let last = times.count - 1
    let (values, thresholds, releases) = (operands[0].history, operands[1].history, operands[2].history)
    for page in stride(from: last, through: 0, by: -1) {
      guard case .number(let value) = values[page], case .number(let threshold) = thresholds[page],
        case .number(let release) = releases[page]
      else {
        if page == last { return .unknown }
        continue
      }
      if side == .below ? value < threshold : value > threshold { return .boolean(true) }
      if side == .below ? value > release : value < release { return .boolean(false) }
    }
    return .boolean(false)
  }

  /// Returns whether the operand has been true for `span` nanoseconds. A period in which the operand is
  /// unknown does not interrupt this time if the period lasts at most `tolerate` nanoseconds.
  func heldFor(_ operand: Node, _ span: Int64, _ tolerate: Int64?) -> FactValue {
    let history = operand.history
    let last = times.count - 1
    if history[last] == .boolean(false) { return .boolean(false) }
    var first: Int?
    var gapEnd = history[last] == .unknown ? last : nil
    for page in stride(from: last, through: 0, by: -1) {
      if history[page] == .boolean(false) { break }
      if history[page] == .boolean(true) {
        first = page
        gapEnd = nil
        continue
      }
      let end = gapEnd ?? page + 1
      gapEnd = end
      guard let tolerate, times[end] - times[page] <= tolerate else { break }
    }
    guard let first else { return .unknown }
    return .boolean(times[last] - times[first] >= span)
  }

  /// Returns whether the operand was true within the span that ends now. The value of a page (the state
  /// between two changes) is valid until the next page begins.
  func wasTrueInLast(_ operand: Node, _ span: Int64) -> FactValue {
    let history = operand.history
    let last = times.count - 1
    if history[last] == .boolean(true) { return .boolean(true) }
    for page in stride(from: last - 1, through: 0, by: -1) where history[page] == .boolean(true) {
      return times[last] - times[page + 1] < span ? .boolean(true) : history[last]
    }
    return history[last]
  }
}
