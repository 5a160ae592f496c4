import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// A lower bound for the time at which a condition can get its wanted truth value.
///
/// Some facts may change now to any value; all other facts keep their values. `ObstacleSearch` skips a
/// combination of facts when its bound is not before the best known solution.
struct SoonestBound {
  let situation: Situation
  /// The paths of the facts that may change to any value.
  let free: Set<String>
  /// The forecast without changed facts.
  let baseForecast: ConditionForecast

  private var now: Instant { situation.now }

  /// Returns the bound. Returns nil when changes of these facts are not sufficient.
  func earliest(_ part: CheckedExpression, _ wanted: Bool) -> Instant? {
    switch part.kind {
    case .not(let operand): return earliest(operand, !wanted)
    case .and(let operands): return join(operands.map { earliest($0, wanted) }, needsAll: wanted)
    case .or(let operands): return join(operands.map { earliest($0, wanted) }, needsAll: !wanted)
    case .implies(let left, let right):
      return join([earliest(left, !wanted), earliest(right, wanted)], needsAll: !wanted)
    case .heldFor(let operand, let span, _):
      if isSatisfied(part, wanted) { return now }
      guard wanted else { return earliest(operand, false) }
      let counting = situation.memory(part).since.map { max(now, $0 + span) }
      return counting ?? earliest(operand, true).map { $0 + span }
    case .inLast(let operand, let span):
      if isSatisfied(part, wanted) { return now }
      guard !wanted else { return earliest(operand, true) }
      let over = situation.memory(part).since.map { $0 + span }
      return earliest(operand, false).map { max($0, over ?? now) }
    case .inSchedule, .age: return nowIfFree(part) ?? baseForecast.forecast(part).first(wanted ? .yes : .no)
    default: return isSatisfied(part, wanted) ? now : nowIfFree(part)
    }
  }

  private func isSatisfied(_ part: CheckedExpression, _ wanted: Bool) -> Bool {
    situation.truth(part) == (wanted ? .yes : .no)
  }

  private func nowIfFree(_ part: CheckedExpression) -> Instant? {
    part.facts.contains { free.contains($0) } ? now : nil
  }

  private func join(_ instants: [Instant?], needsAll: Bool) -> Instant? {
    guard needsAll else { return instants.compactMap(\.self).min() }
    return instants.contains(nil) ? nil : instants.compactMap(\.self).max()
  }
}
