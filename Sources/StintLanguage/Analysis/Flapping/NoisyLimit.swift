import StintModel
import StintUnits

/// A comparison of a noisy fact with a constant limit.
struct NoisyLimit {
  var schema: FactSchema
  /// The limit, in base units of the fact.
  var limit: Double
  /// True when the comparison is true above the limit.
  var isUpper: Bool
  var span: SourceSpan

  /// The limit with its unit, as text for people.
  var shown: String { shown(1) }

  /// Returns a multiple of the limit with its unit, as text for people.
  func shown(_ factor: Double) -> String { schema.text(of: .number(limit * factor)) }

  /// Returns the noisy limits of a condition, in source order. Limits inside `for` or `in last` and limits
  /// with a `release` are left out, because such conditions do not change at every crossing of the limit.
  static func all(in condition: CheckedExpression, _ vocabulary: Vocabulary) -> [NoisyLimit] {
    switch condition.kind {
    case .heldFor, .inLast, .latch: return []
    case .compare(let operation, let left, let right):
      return NoisyLimit(operation, left, right, condition.span, vocabulary).map { [$0] } ?? []
    default: return condition.children.flatMap { all(in: $0, vocabulary) }
    }
  }

  private init?(
    _ operation: Comparison, _ left: CheckedExpression, _ right: CheckedExpression, _ span: SourceSpan,
    _ vocabulary: Vocabulary
  ) {
    guard operation != .equal, operation != .notEqual, let left = left.affine, let right = right.affine
    else { return nil }
    let (varying, constant) = left.leaf == nil ? (right, left) : (left, right)
    guard constant.leaf == nil, case .fact(let path)? = varying.leaf,
      let schema = vocabulary.schema(path), schema.isNoisy, let limit = varying.crossing(constant.offset)
    else { return nil }
    let isGreater = operation == .greater || operation == .greaterOrEqual
    self.schema = schema
    self.limit = limit
    self.isUpper = (isGreater == (left.leaf != nil)) == (varying.scale > 0)
    self.span = span
  }

  /// Returns facts for which the condition changes when only the noisy fact crosses the limit; nil without
  /// such facts.
  ///
  /// The readings are the other facts, followed by two values of the noisy fact.
  func witness(_ condition: CheckedExpression, of policy: String, _ vocabulary: Vocabulary) -> Witness? {
    var space = ConditionSpace(vocabulary: vocabulary, keepsTime: true)
    space.note(condition, of: policy)
    space.finish()
    guard let number = space.number(of: .fact(schema.path)),
      let limitCell = space.variables[number].cells.firstIndex(of: limit)
    else { return nil }
    let cells = space.variables[number].cells
    let formula = space.formula(condition, of: policy)
    let (low, high) = (limitCell - 1, limitCell + 1)
    guard low >= 0, high < cells.count, !cells[high].isNaN else { return nil }
    let before = Formula.certain(formula.with(number, at: low))
    let after = Formula.certain(formula.with(number, at: high))
    let changes = Formula.or([.and([before, .not(after)]), .and([.not(before), after])])
    let all = [Bool](repeating: true, count: space.variables.count)
    var search = SatisfiabilitySearch(changes, isFixed: all, counts: space.variables.map(\.cells.count))
    guard case .satisfiable(let found) = search.run() else { return nil }
    return Witness(readings: others(space, found) + values(cells[low], cells[high]))
  }

  private func others(_ space: ConditionSpace, _ cells: [Int?]) -> [Witness.Reading] {
    zip(space.variables, cells).compactMap { variable, cell in
      guard case .fact(let path) = variable.leaf, path != schema.path, let cell else { return nil }
      return Witness.Reading(path: path, value: space.value(variable.cells[cell], of: path))
    }
  }

  /// Returns two values close to the limit, one on each side.
  private func values(_ low: Double, _ high: Double) -> [Witness.Reading] {
    let step = max(abs(limit) * 0.02, 0.01)
    return [max(low, limit - step), min(high, limit + step)].map {
      Witness.Reading(path: schema.path, value: .number($0))
    }
  }
}
