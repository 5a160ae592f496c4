import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Describes the change that would end a true condition, as a condition: `app.state is not background`.
extension ConditionExplainer {
  /// Returns the change that ends the condition, without the current values.
  func ending(of expression: CheckedExpression) -> String { change(expression, to: false) }

  /// Returns the change that gives the expression the truth value `wanted`, which it does not have now.
  private func change(_ expression: CheckedExpression, to wanted: Bool) -> String {
    switch expression.kind {
    case .not(let operand): return change(operand, to: !wanted)
    case .and(let operands): return join(operands.map { ($0, wanted) }, needsAll: wanted)
    case .or(let operands): return join(operands.map { ($0, wanted) }, needsAll: !wanted)
    case .implies(let left, let right): return join([(left, !wanted), (right, wanted)], needsAll: !wanted)
    case .compare(let comparison, let left, let right):
      return comparisonChange(left, wanted ? comparison : comparison.negated, right)
    case .latch(let side, let value, let threshold, let release):
      let isBelow = (side == .below) == wanted
      return comparisonChange(value, isBelow ? .less : .greater, wanted ? threshold : release)
    case .oneOf(let operand, let values):
      let listed = Self.list(values.map { words.text($0, operand.type) })
      return "\(words.text(operand)) is \(wanted ? "" : "not ")\(listed)"
    case .inSchedule(let index):
      let name = situation.schedules.indices.contains(index) ? situation.schedules[index].name : ""
      return "schedule \(name) \(wanted ? "begins" : "ends")"
    case .heldFor(let operand, let span, _):
      return change(own(operand), to: wanted) + (wanted ? ", for \(span)" : "")
    case .inLast(let operand, let span):
      guard !wanted, situation.truth(operand) == .yes else { return change(operand, to: wanted) }
      return change(operand, to: false) + ", for \(span)"
    case .age(let path, let comparison, let span):
      let isOlder = [.greater, .greaterOrEqual].contains(wanted ? comparison : comparison.negated)
      return "\(path) is \(isOlder ? "older" : "younger") than \(span)"
    case .known(let path): return "\(path) is \(wanted ? "known" : "unknown")"
    case .demanded(let device): return "\(device) is \(wanted ? "" : "not ")demanded"
    default: return "\(words.text(expression)) is \(wanted)"
    }
  }

  /// Joins the changes of several operands: with “and” when all must change, with “or” when one change
  /// is enough.
  private func join(_ parts: [(CheckedExpression, wanted: Bool)], needsAll: Bool) -> String {
    var changes: [String] = []
    for part in parts where situation.truth(part.0) != (part.wanted ? .yes : .no) {
      let change = change(part.0, to: part.wanted)
      if !changes.contains(change) { changes.append(change) }
    }
    return changes.joined(separator: needsAll ? " and " : " or ")
  }

  /// Returns the change that makes a comparison true, for example `battery.level is below 20 %`.
  private func comparisonChange(
    _ left: CheckedExpression, _ comparison: Comparison, _ right: CheckedExpression
  ) -> String {
    // The operand that can change comes first.
    if isConstant(left), !isConstant(right) { return comparisonChange(right, comparison.mirrored, left) }
    let limit = isConstant(right) ? text(situation.evaluate(right), of: left) : words.text(right)
    let needed = comparison == .notEqual ? "not \(limit)" : need(comparison, limit, left.type)
    return "\(words.text(left)) is \(needed)"
  }
}
