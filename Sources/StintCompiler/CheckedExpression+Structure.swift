import StintLanguage
import StintMachine
import StintModel
import StintUnits

extension CheckedExpression {
  /// Returns the structure of the expression as a string without source positions. The string identifies the
  /// state of the expression across reloads.
  ///
  /// The string does not depend on the order of the operands of “and” and “or”, of the words in a list, or of
  /// the policy's schedules. This order has no meaning.
  func structure(_ schedules: ArraySlice<ImageSchedule>) -> String {
    fold { part, parts in
      switch part.kind {
      case .constant(let value): Self.text(of: value, part.type)
      case .fact(let path): path
      case .not: "not(\(parts[0]))"
      case .and: "and(\(parts.sorted().joined(separator: ",")))"
      case .or: "or(\(parts.sorted().joined(separator: ",")))"
      case .implies: "implies(\(parts[0]),\(parts[1]))"
      case .compare(let comparison, _, _): "(\(parts[0])\(comparison.rawValue)\(parts[1]))"
      case .latch(let side, _, _, _): "\(side.rawValue)(\(parts.joined(separator: ",")))"
      case .oneOf(let operand, let values):
        "in(\(parts[0]),\(values.map { Self.text(of: $0, operand.type) }.sorted().joined(separator: "|")))"
      case .inSchedule(let index): "schedule(\(schedules[schedules.startIndex + index].structure))"
      case .heldFor(_, let span, let tolerate):
        "for(\(parts[0]),\(span.nanoseconds),\(tolerate?.nanoseconds ?? 0))"
      case .inLast(_, let span): "last(\(parts[0]),\(span.nanoseconds))"
      case .arithmetic(.larger, _, _): "larger(\(parts.joined(separator: ",")))"
      case .arithmetic(.smaller, _, _): "smaller(\(parts.joined(separator: ",")))"
      case .arithmetic(let operation, _, _): "(\(parts[0])\(operation.rawValue)\(parts[1]))"
      case .negate: "-(\(parts[0]))"
      case .known(let path): "known(\(path))"
      case .age(let path, let comparison, let span): "age(\(path))\(comparison.rawValue)\(span.nanoseconds)"
      case .demanded(let device): "demanded(\(device))"
      case .window(let function, let path, let span): "\(function.rawValue)(\(path),\(span.nanoseconds))"
      }
    }
  }

  /// Returns the value as a string. Symbols are written by name, because the indices of a machine's states
  /// change when a state is added or moved.
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
  /// The windows as a string, without the name of the schedule.
  fileprivate var structure: String {
    windows.map { window in
      let days = window.days.map { $0 ? "x" : "-" }.joined()
      return "\(days) \(window.from.nanoseconds)..\(window.to.nanoseconds)"
    }.joined(separator: ",")
  }
}
