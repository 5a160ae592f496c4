import StintModel
import StintUnits

/// Writes conditions as policies do.
struct ConditionText {
  let vocabulary: Vocabulary
  /// Names of schedules by their places in the ground.
  let schedules: [Int: String]

  func text(_ condition: CheckedExpression) -> String {
    switch condition.kind {
    case .constant(let value): return text(value, like: condition)
    case .fact(let path): return path
    case .not(let operand): return "not \(part(operand))"
    case .and(let operands): return operands.map(part).joined(separator: " and ")
    case .or(let operands): return operands.map(part).joined(separator: " or ")
    case .implies(let left, let right): return "\(part(left)) implies \(part(right))"
    case .compare(let operation, let left, let right):
      if operation == .equal, case .symbol = left.type {
        return "\(side(left, like: right)) is \(side(right, like: left))"
      }
      return "\(side(left, like: right)) \(operation.rawValue) \(side(right, like: left))"
    case .latch(let side, let value, let threshold, let release):
      return "\(part(value)) \(side.rawValue) \(self.side(threshold, like: value)) release "
        + self.side(release, like: value)
    case .oneOf(let operand, let values):
      if values.count == 1 { return "\(part(operand)) is \(text(values[0], like: operand))" }
      return "\(part(operand)) in [\(values.map { text($0, like: operand) }.joined(separator: ", "))]"
    case .inSchedule(let index): return "time in \(schedules[index] ?? "schedule \(index)")"
    case .heldFor(let operand, let span, let tolerate):
      return "\(part(operand)) for \(span)" + (tolerate.map { " tolerate \($0)" } ?? "")
    case .inLast(let operand, let span): return "\(part(operand)) in last \(span)"
    case .arithmetic(let operation, let left, let right):
      return "\(part(left)) \(operation.rawValue) \(part(right))"
    case .negate(let operand): return "-\(part(operand))"
    case .known(let path): return "known(\(path))"
    case .age(let path, let operation, let span): return "age(\(path)) \(operation.rawValue) \(span)"
    case .demanded(let device): return "demanded(\(device))"
    case .window(let function, let path, let span): return "\(function.rawValue)(\(path), \(span))"
    }
  }

  private func part(_ operand: CheckedExpression) -> String {
    switch operand.kind {
    case .constant, .fact, .known, .age, .demanded, .window, .compare, .oneOf, .inSchedule, .not, .latch:
      text(operand)
    default: "(\(text(operand)))"
    }
  }

  private func side(_ operand: CheckedExpression, like other: CheckedExpression) -> String {
    guard case .constant(let value) = operand.kind else { return part(operand) }
    return text(value, like: other)
  }

  private func text(_ value: FactValue, like other: CheckedExpression) -> String {
    if case .fact(let path) = other.kind, let schema = vocabulary.schema(path) {
      return schema.text(of: value)
    }
    return FactSchema(path: "", type: other.type).text(of: value)
  }
}
