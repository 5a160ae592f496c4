import StintLanguage
import StintMachine
import StintModel
import StintUnits

extension CheckedExpression {
  /// The expression's structure as text, without places: what names its state across reloads.
  ///
  /// What may change its place without changing its meaning has no place here either: operands of “and” and “or”,
  /// words of a list, schedules of the policy.
  func structure(_ schedules: ArraySlice<ImageSchedule>) -> String {
    func text(_ expression: CheckedExpression) -> String { expression.structure(schedules) }
    func sorted(_ expressions: [CheckedExpression]) -> String {
      expressions.map(text).sorted().joined(separator: ",")
    }
    return switch kind {
    case .constant(let value): Self.text(of: value, type)
    case .fact(let path): path
    case .not(let operand): "not(\(text(operand)))"
    case .and(let operands): "and(\(sorted(operands)))"
    case .or(let operands): "or(\(sorted(operands)))"
    case .implies(let left, let right): "implies(\(text(left)),\(text(right)))"
    case .compare(let comparison, let left, let right):
      "(\(text(left))\(comparison.rawValue)\(text(right)))"
    case .latch(let side, let value, let threshold, let release):
      "\(side.rawValue)(\(text(value)),\(text(threshold)),\(text(release)))"
    case .oneOf(let operand, let values):
      "in(\(text(operand)),\(values.map { Self.text(of: $0, operand.type) }.sorted()))"
    case .inSchedule(let index): "schedule(\(schedules[schedules.startIndex + index].structure))"
    case .heldFor(let operand, let span, let tolerate):
      "for(\(text(operand)),\(span.nanoseconds),\(tolerate?.nanoseconds ?? 0))"
    case .inLast(let operand, let span): "last(\(text(operand)),\(span.nanoseconds))"
    case .arithmetic(let operation, let left, let right):
      "(\(text(left))\(operation.rawValue)\(text(right)))"
    case .negate(let operand): "-(\(text(operand)))"
    case .known(let path): "known(\(path))"
    case .age(let path, let comparison, let span): "age(\(path))\(comparison.rawValue)\(span.nanoseconds)"
    case .demanded(let device): "demanded(\(device))"
    case .window(let function, let path, let span): "\(function.rawValue)(\(path),\(span.nanoseconds))"
    }
  }

  /// Compares words by name: the states of a machine get other numbers when one is added or moved.
  private static func text(of value: FactValue, _ type: FactType) -> String {
    switch value {
    case .unknown: return "unknown"
    case .boolean(let truth): return "boolean(\(truth))"
    case .number(let number): return "number(\(number))"
    case .symbol(let number):
      guard case .symbol(let words) = type, words.indices.contains(number) else { return "symbol(\(number))" }
      return words[number]
    }
  }
}

extension ImageSchedule {
  /// The windows as text; the name of a schedule is of no matter.
  fileprivate var structure: String {
    windows.map { window in
      let days = window.days.map { $0 ? "x" : "-" }.joined()
      return "\(days) \(window.from.nanoseconds)..\(window.to.nanoseconds)"
    }.joined(separator: ",")
  }
}
