import StintModel
import StintUnits

extension CheckedExpression {
  /// The moments, in nanoseconds after all facts were published for the last time, at which it may change by itself;
  /// sorted, from 0. Nil for too many.
  func breakpoints(_ vocabulary: Vocabulary) -> [Int64]? {
    switch kind {
    case .age(let path, _, let span):
      let stale = vocabulary.schema(path)?.maxAge
      return Self.sorted(
        [span, stale].compactMap { $0 }.flatMap { [$0.nanoseconds, $0.nanoseconds + 1] } + [0])
    case .heldFor(let operand, let span, _), .inLast(let operand, let span):
      guard let points = operand.breakpoints(vocabulary) else { return nil }
      return Self.sorted(points + points.map { $0 + span.nanoseconds })
    default:
      var points: [Int64] = [0]
      for operand in operands {
        guard let more = operand.breakpoints(vocabulary) else { return nil }
        points += more
      }
      return Self.sorted(points)
    }
  }

  private static func sorted(_ points: [Int64]) -> [Int64]? {
    let unique = Set(points).sorted()
    return unique.count <= 16 && unique.allSatisfy { $0 >= 0 && $0 < .max / 4 } ? unique : nil
  }

  /// The same without places in the text: equal where the conditions are.
  var unplaced: CheckedExpression {
    let kind: Kind =
      switch self.kind {
      case .constant, .fact, .inSchedule, .known, .age, .demanded, .window: self.kind
      case .not(let operand): .not(operand.unplaced)
      case .negate(let operand): .negate(operand.unplaced)
      case .and(let operands): .and(operands.map(\.unplaced))
      case .or(let operands): .or(operands.map(\.unplaced))
      case .implies(let left, let right): .implies(left.unplaced, right.unplaced)
      case .compare(let operation, let left, let right): .compare(operation, left.unplaced, right.unplaced)
      case .arithmetic(let operation, let left, let right):
        .arithmetic(operation, left.unplaced, right.unplaced)
      case .latch(let side, let value, let threshold, let release):
        .latch(side, value: value.unplaced, threshold: threshold.unplaced, release: release.unplaced)
      case .oneOf(let operand, let values): .oneOf(operand.unplaced, values)
      case .heldFor(let operand, let span, let tolerate): .heldFor(operand.unplaced, span, tolerate: tolerate)
      case .inLast(let operand, let span): .inLast(operand.unplaced, span)
      }
    return CheckedExpression(kind: kind, type: type, span: SourceSpan(start: 0, end: 0))
  }

  /// Whether it asks for local time somewhere.
  var asksTime: Bool {
    if case .inSchedule = kind { return true }
    return operands.contains { $0.asksTime }
  }
}
