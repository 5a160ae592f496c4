import StintLanguage
import StintModel
import StintUnits

/// Expressions as people read them, with the whole paths of facts.
struct ConditionText {
  let vocabulary: Vocabulary
  let schedules: [CheckedSchedule]

  /// The expression in the words of the language.
  func text(_ expression: CheckedExpression) -> String {
    switch expression.kind {
    case .constant(let value): text(value, expression.type)
    case .fact(let path): path
    case .not(let operand): "not \(inner(operand))"
    case .and(let operands): operands.map(inner).joined(separator: " and ")
    case .or(let operands): operands.map(inner).joined(separator: " or ")
    case .implies(let left, let right): "\(inner(left)) implies \(inner(right))"
    case .compare(let comparison, let left, let right):
      if comparison == .equal, case .symbol = left.type {
        "\(text(left)) is \(text(right, like: left))"
      } else {
        "\(inner(left)) \(comparison.rawValue) \(inner(right))"
      }
    case .latch(let side, let value, let threshold, let release):
      "\(inner(value)) \(side.rawValue) \(text(threshold)) release \(text(release))"
    case .oneOf(let operand, let values) where values.count == 1:
      "\(text(operand)) is \(text(values[0], operand.type))"
    case .oneOf(let operand, let values):
      "\(text(operand)) in [\(values.map { text($0, operand.type) }.joined(separator: ", "))]"
    case .inSchedule(let index): "time in \(scheduleName(index))"
    case .heldFor(let operand, let span, let tolerate):
      "\(inner(operand)) for \(span)" + (tolerate.map { " tolerate \($0)" } ?? "")
    case .inLast(let operand, let span): "\(inner(operand)) in last \(span)"
    case .arithmetic(let operation, let left, let right):
      "\(inner(left)) \(operation.rawValue) \(inner(right))"
    case .negate(let operand): "-\(inner(operand))"
    case .known(let path): "known(\(path))"
    case .age(let path, let comparison, let span): "age(\(path)) \(comparison.rawValue) \(span)"
    case .demanded(let device): "demanded(\(device))"
    case .window(let function, let path, let span): "\(function.rawValue)(\(path), \(span))"
    }
  }

  /// A value as its type spells it.
  func text(_ value: FactValue, _ type: FactType) -> String {
    FactSchema(path: "", type: type).text(of: value)
  }

  func scheduleName(_ index: Int) -> String {
    schedules.indices.contains(index) ? schedules[index].name : "a schedule"
  }

  private func inner(_ expression: CheckedExpression) -> String {
    switch expression.kind {
    case .and, .or, .implies, .arithmetic, .compare, .heldFor, .inLast: "(\(text(expression)))"
    default: text(expression)
    }
  }

  /// A word's index means something only beside the words of the other side.
  private func text(_ expression: CheckedExpression, like other: CheckedExpression) -> String {
    guard case .constant(let value) = expression.kind else { return text(expression) }
    return text(value, other.type)
  }
}
