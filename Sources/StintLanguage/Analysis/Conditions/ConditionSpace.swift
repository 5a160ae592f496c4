import StintModel
import StintUnits

/// The variables of a set of conditions. The conditions compare each variable with limits; these limits
/// divide the range of the variable into cells.
///
/// Register every condition with `note` first; then `finish` computes the cells; then `formula` converts
/// conditions.
struct ConditionSpace {
  /// A leaf and one value for each of its cells. NaN is unknown, a Boolean value is 1 or 0, and a symbol is
  /// its index.
  struct Variable {
    var leaf: Leaf
    var cells: [Double]
  }

  private let vocabulary: Vocabulary
  /// True when `for` and `in last` are leaves themselves; false when their operands replace them.
  private let keepsTime: Bool
  private var numbers: [Leaf: Int] = [:]
  private var limits: [Set<Double>] = []
  private(set) var variables: [Variable] = []

  /// Creates an empty space.
  ///
  /// - Parameter keepsTime: true when `for` and `in last` are leaves. Pass true where the analysis must not
  ///   assume that their time has elapsed.
  init(vocabulary: Vocabulary, keepsTime: Bool = false) {
    self.vocabulary = vocabulary
    self.keepsTime = keepsTime
  }

  /// Returns the index of a registered leaf; nil when the leaf is not registered.
  func number(of leaf: Leaf) -> Int? { numbers[leaf] }

  // MARK: Registering conditions

  @discardableResult
  private mutating func note(_ leaf: Leaf, limit: Double? = nil) -> Int {
    let number = numbers[leaf] ?? variables.count
    if number == variables.count {
      numbers[leaf] = number
      variables.append(Variable(leaf: leaf, cells: []))
      limits.append([])
    }
    if let limit { limits[number].insert(limit) }
    return number
  }

  /// Registers every leaf of a condition of the policy.
  mutating func note(_ condition: CheckedExpression, of policy: String) {
    if let constraint = condition.leafConstraint {
      note(constraint.leaf, limit: constraint.limit)
      return
    }
    switch condition.kind {
    case .constant: break
    case .heldFor, .inLast:
      if keepsTime { note(.outcome(condition)) } else { note(condition.children[0], of: policy) }
    case .compare: if Self.constantTruth(condition) == nil { note(.outcome(condition)) }
    case .latch:
      guard let constraint = condition.latchConstraint else {
        note(.outcome(condition))
        return
      }
      for limit in constraint.limits { note(constraint.leaf, limit: limit) }
      note(.memory(condition))
    case .inSchedule(let index): note(.schedule(policy: policy, index))
    case .window(let function, let path, let span): note(.window(function, path, span))
    case .arithmetic: note(.outcome(condition))
    default: for child in condition.children { note(child, of: policy) }
    }
  }

  /// Returns the varying side of a comparison and the constant limit of the other side.
  ///
  /// - Returns: nil when both sides vary, or when the sides are neither affine numbers nor a fact and a
  ///   constant.
  static func sides(
    _ left: CheckedExpression, _ right: CheckedExpression
  ) -> (number: Affine, limit: Double)? {
    if let left = left.affine, let right = right.affine {
      if right.leaf == nil { return (left, right.offset) }
      if left.leaf == nil { return (right, left.offset) }
      return nil
    }
    // Boolean facts, as in `screen.on == true`.
    if case .fact(let path) = left.kind, case .constant(let value) = right.kind {
      return (Affine(leaf: .fact(path), scale: 1, offset: 0), value.number)
    }
    if case .fact(let path) = right.kind, case .constant(let value) = left.kind {
      return (Affine(leaf: .fact(path), scale: 1, offset: 0), value.number)
    }
    return nil
  }

  static func constantTruth(_ comparison: CheckedExpression) -> TruthSet? {
    guard case .compare(let operation, let left, let right) = comparison.kind,
      case .constant(let first) = left.kind, case .constant(let second) = right.kind
    else { return nil }
    return truth(first.number, operation, second.number)
  }

  /// Converts the value of a cell to a value of the fact.
  func value(_ cell: Double, of path: String) -> FactValue {
    guard !cell.isNaN, let type = vocabulary.schema(path)?.type else { return .unknown }
    switch type {
    case .boolean: return .boolean(cell != 0)
    case .symbol: return .symbol(Int(cell))
    case .quantity: return .number(cell)
    }
  }

  /// Returns an arbitrary value that the fact may have.
  func anyValue(of path: String) -> FactValue {
    guard let schema = vocabulary.schema(path), let cell = cells(.fact(path), []).first else {
      return .unknown
    }
    return value(schema.type == .boolean ? 1 : cell, of: path)
  }

  // MARK: Cells

  /// Computes the cells of every variable.
  mutating func finish() {
    for number in variables.indices {
      variables[number].cells = cells(variables[number].leaf, limits[number].sorted())
    }
  }

  /// Replaces the cells of a variable, for example when a device is known to be off.
  mutating func restrict(_ number: Int, to cells: [Double]) { variables[number].cells = cells }

  private func cells(_ leaf: Leaf, _ limits: [Double]) -> [Double] {
    switch leaf {
    case .fact(let path):
      guard let schema = vocabulary.schema(path) else { return [.nan] }
      switch schema.type {
      case .boolean: return [0, 1, .nan]
      case .symbol(let words): return words.indices.map(Double.init) + [.nan]
      case .quantity: return Self.cells(limits, within: schema.range) + [.nan]
      }
    case .window(let function, _, _):
      let isCount = function.countsValues
      return Self.cells(limits, within: isCount ? 0...Double.greatestFiniteMagnitude : nil)
        + (isCount ? [] : [.nan])
    case .age: return Self.cells(limits, within: 0...Double.greatestFiniteMagnitude) + [.nan]
    case .demanded, .schedule, .memory: return [0, 1]
    case .outcome: return [0, 1, .nan]
    }
  }

  /// Returns each limit inside the range, and one value between neighbouring limits. Also returns one value
  /// below all limits, and one value above all limits. Without a limit inside the range, returns one value of
  /// the range.
  ///
  /// Counterexamples show these values, so the values are near the limits.
  static func cells(_ limits: [Double], within range: ClosedRange<Double>?) -> [Double] {
    let range = range ?? -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    let inside = limits.filter(range.contains)
    guard let first = inside.first, let last = inside.last else { return [range.someValue] }
    var cells: [Double] = []
    if range.lowerBound < first { cells.append((range.lowerBound...first).valueBelowEnd) }
    for (index, limit) in inside.enumerated() {
      cells.append(limit)
      if index + 1 < inside.count { cells.append((limit...inside[index + 1]).middle) }
    }
    if last < range.upperBound { cells.append((last...range.upperBound).valueAboveStart) }
    return cells
  }

  // MARK: Formulas

  /// Converts a registered condition of the policy to a formula. When `keepsTime` is false, `for` and `in
  /// last` are replaced by their operands, as if their time had elapsed.
  func formula(_ condition: CheckedExpression, of policy: String) -> Formula {
    var domain = FormulaDomain { part in leaf(part, of: policy) }
    return domain.value(of: condition, at: ())
  }

  private func leaf(_ condition: CheckedExpression, of policy: String) -> Formula {
    if let constraint = condition.leafConstraint { return atom(constraint.leaf, constraint.truth) }
    switch condition.kind {
    case .constant(let value): return .constant(Self.truth(of: value.number))
    case .heldFor(let operand, _, _), .inLast(let operand, _):
      return keepsTime
        ? atom(.outcome(condition)) { Self.truth(of: $0) } : formula(operand, of: policy)
    case .compare:
      if let truth = Self.constantTruth(condition) { return .constant(truth) }
      return atom(.outcome(condition)) { Self.truth(of: $0) }
    case .latch: return latch(condition)
    case .inSchedule(let index): return atom(.schedule(policy: policy, index)) { Self.truth(of: $0) }
    default: return .constant(.any)
    }
  }

  private func latch(_ condition: CheckedExpression) -> Formula {
    guard let constraint = condition.latchConstraint else {
      return atom(.outcome(condition)) { Self.truth(of: $0) }
    }
    let past = atom(constraint.leaf, constraint.isSetting)
    let over = atom(constraint.leaf, constraint.isOver)
    return .or([past, .and([.not(over), atom(.memory(condition)) { Self.truth(of: $0) }])])
  }

  private func atom(_ leaf: Leaf, _ truth: (Double) -> TruthSet) -> Formula {
    guard let number = numbers[leaf] else { return .constant(.any) }
    return .atom(number, variables[number].cells.map(truth))
  }

  static func truth(of value: Double) -> TruthSet {
    value.isNaN ? .unknown : value == 0 ? .no : .yes
  }

  static func truth(_ left: Double, _ operation: Comparison, _ right: Double) -> TruthSet {
    if left.isNaN || right.isNaN { return .unknown }
    return operation.holds(left, right) ? .yes : .no
  }
}

extension CheckedExpression {
  var isFact: Bool { if case .fact = kind { true } else { false } }
}

extension FactValue {
  /// The value as a number of the rule VM. Booleans are 1 and 0, symbols are their index, and unknown is NaN.
  var number: Double {
    switch self {
    case .unknown: .nan
    case .boolean(let truth): truth ? 1 : 0
    case .number(let number): number
    case .symbol(let index): Double(index)
    }
  }
}

extension ClosedRange<Double> {
  /// The middle; near the finite end when the other end is infinite.
  fileprivate var middle: Double {
    let limit = Double.greatestFiniteMagnitude
    switch (lowerBound <= -limit, upperBound >= limit) {
    case (true, true): return 0
    case (true, false): return upperBound - Swift.max(1, abs(upperBound))
    case (false, true): return lowerBound + Swift.max(1, abs(lowerBound))
    case (false, false): return lowerBound + (upperBound - lowerBound) / 2
    }
  }

  /// A value above the start. The middle; when the middle is far away, twice the start, or 1 for the start 0.
  fileprivate var valueAboveStart: Double {
    let near = lowerBound + (lowerBound == 0 ? 1 : abs(lowerBound) * (lowerBound < 0 ? 0.5 : 1))
    return near < upperBound && (middle - lowerBound) > 10 * (near - lowerBound) ? near : middle
  }

  /// A value below the end, chosen like `valueAboveStart`.
  fileprivate var valueBelowEnd: Double {
    lowerBound < 0 ? -(-upperBound ... -lowerBound).valueAboveStart : middle
  }

  /// Any value, near 0 if possible.
  fileprivate var someValue: Double {
    lowerBound < 0 && upperBound > 0 ? 0 : lowerBound < 0 ? valueBelowEnd : valueAboveStart
  }
}
