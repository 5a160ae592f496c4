import StintLanguage
import StintModel
import StintUnits

extension CheckedExpression {
  /// The expression's structure as text, without places: what names its state across reloads.
  var structure: String {
    switch kind {
    case .constant(let value): Self.text(of: value, type)
    case .fact(let path): path
    case .not(let operand): "not(\(operand.structure))"
    case .and(let operands): "and(\(operands.map(\.structure).joined(separator: ",")))"
    case .or(let operands): "or(\(operands.map(\.structure).joined(separator: ",")))"
    case .implies(let left, let right): "implies(\(left.structure),\(right.structure))"
    case .compare(let comparison, let left, let right):
      "(\(left.structure)\(comparison.rawValue)\(right.structure))"
    case .latch(let side, let value, let threshold, let release):
      "\(side.rawValue)(\(value.structure),\(threshold.structure),\(release.structure))"
    case .oneOf(let operand, let values):
      "in(\(operand.structure),\(values.map { Self.text(of: $0, operand.type) }))"
    case .inSchedule(let index): "schedule(\(index))"
    case .heldFor(let operand, let span, let tolerate):
      "for(\(operand.structure),\(span.nanoseconds),\(tolerate?.nanoseconds ?? 0))"
    case .inLast(let operand, let span): "last(\(operand.structure),\(span.nanoseconds))"
    case .arithmetic(let operation, let left, let right):
      "(\(left.structure)\(operation.rawValue)\(right.structure))"
    case .negate(let operand): "-(\(operand.structure))"
    case .known(let path): "known(\(path))"
    case .age(let path, let comparison, let span): "age(\(path))\(comparison.rawValue)\(span.nanoseconds)"
    case .demanded(let device): "demanded(\(device))"
    case .window(let function, let path, let span): "\(function.rawValue)(\(path),\(span.nanoseconds))"
    }
  }

  /// Words are told apart by name: the states of a machine have other numbers once one is added or moved.
  private static func text(of value: FactValue, _ type: FactType) -> String {
    guard case .symbol(let number) = value, case .symbol(let words) = type, words.indices.contains(number)
    else { return "\(value)" }
    return words[number]
  }
}
