import StintModel
import StintUnits

extension CheckedExpression {
  /// Returns the times at which the condition may change without a new value of a fact.
  ///
  /// It is assumed that all facts were last published at one instant. The times are counted from this
  /// instant, in nanoseconds.
  ///
  /// - Returns: sorted times, beginning with 0; nil when there are more than 16 times or a time is too large.
  func breakpoints(_ solverContext: SolverContext) -> [Int64]? {
    switch kind {
    case .age(let path, _, let span):
      var points: [Int64] = [0]
      for limit in [span, solverContext.maxAge(path)].compactMap(\.self) {
        points += [limit.nanoseconds, limit.nanoseconds + 1]
      }
      return Self.sorted(points)
    case .heldFor(let operand, let span, _), .inLast(let operand, let span):
      guard let points = operand.breakpoints(solverContext) else { return nil }
      return Self.sorted(points + points.map { $0 + span.nanoseconds })
    default:
      var points: [Int64] = [0]
      for child in children {
        guard let more = child.breakpoints(solverContext) else { return nil }
        points += more
      }
      return Self.sorted(points)
    }
  }

  private static func sorted(_ points: [Int64]) -> [Int64]? {
    let unique = Set(points).sorted()
    return unique.count <= 16 && unique.allSatisfy { $0 >= 0 && $0 < .max / 4 } ? unique : nil
  }

  /// Returns a copy without source positions and with renumbered schedules, so that equal conditions compare
  /// equal.
  func unplaced(_ schedule: (Int) -> Int) -> CheckedExpression {
    var copy = map { $0.unplaced(schedule) }
    if case .inSchedule(let index) = kind { copy.kind = .inSchedule(schedule(index)) }
    copy.span = .nowhere
    return copy
  }
}
