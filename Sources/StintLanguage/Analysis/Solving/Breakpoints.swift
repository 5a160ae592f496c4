import StintModel
import StintUnits

extension CheckedExpression {
  /// The moments, in nanoseconds after all facts were published for the last time, at which it may change by itself;
  /// sorted, from 0. Nil for too many.
  func breakpoints(_ ground: QuestionGround) -> [Int64]? {
    switch kind {
    case .age(let path, _, let span):
      let stale = ground.maxAge(path)
      return Self.sorted(
        [span, stale].compactMap { $0 }.flatMap { [$0.nanoseconds, $0.nanoseconds + 1] } + [0])
    case .heldFor(let operand, let span, _), .inLast(let operand, let span):
      guard let points = operand.breakpoints(ground) else { return nil }
      return Self.sorted(points + points.map { $0 + span.nanoseconds })
    default:
      var points: [Int64] = [0]
      for operand in operands {
        guard let more = operand.breakpoints(ground) else { return nil }
        points += more
      }
      return Self.sorted(points)
    }
  }

  private static func sorted(_ points: [Int64]) -> [Int64]? {
    let unique = Set(points).sorted()
    return unique.count <= 16 && unique.allSatisfy { $0 >= 0 && $0 < .max / 4 } ? unique : nil
  }

  /// A copy without source positions and with renumbered schedules: equal where the conditions are.
  func unplaced(_ schedule: (Int) -> Int) -> CheckedExpression {
    func part(_ operand: CheckedExpression) -> CheckedExpression { operand.unplaced(schedule) }
    let kind: Kind =
      switch self.kind {
      case .constant, .fact, .known, .age, .demanded, .window: self.kind
      case .inSchedule(let index): .inSchedule(schedule(index))
      case .not(let operand): .not(part(operand))
      case .negate(let operand): .negate(part(operand))
      case .and(let operands): .and(operands.map(part))
      case .or(let operands): .or(operands.map(part))
      case .implies(let left, let right): .implies(part(left), part(right))
      case .compare(let operation, let left, let right): .compare(operation, part(left), part(right))
      case .arithmetic(let operation, let left, let right): .arithmetic(operation, part(left), part(right))
      case .latch(let side, let value, let threshold, let release):
        .latch(side, value: part(value), threshold: part(threshold), release: part(release))
      case .oneOf(let operand, let values): .oneOf(part(operand), values)
      case .heldFor(let operand, let span, let tolerate): .heldFor(part(operand), span, tolerate: tolerate)
      case .inLast(let operand, let span): .inLast(part(operand), span)
      }
    return CheckedExpression(kind: kind, type: type, span: SourceSpan(start: 0, end: 0))
  }
}
