import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Says when a condition will be as wanted if some facts take other values now and everything stays so.
struct Outlook {
  let situation: Situation
  /// What is assumed to be published now, by path.
  let assumed: [String: FactValue]
  /// The moment without what is assumed.
  private let original: Situation
  private let explainer: ConditionExplainer

  init(_ situation: Situation, assuming assumed: [String: FactValue] = [:]) {
    original = situation
    var moment = situation
    if !assumed.isEmpty {
      moment.value = { assumed[$0] ?? situation.value($0) }
      moment.published = { path in
        guard let value = assumed[path] else { return situation.published(path) }
        return value == .unknown ? nil : situation.now
      }
    }
    self.situation = moment
    self.assumed = assumed
    explainer = ConditionExplainer(moment)
  }

  private var now: Instant { situation.now }

  /// The earliest instant at which the condition is as wanted; nil when it is not without other facts.
  func earliest(_ expression: CheckedExpression, _ wanted: Bool) -> Instant? {
    switch expression.kind {
    case .not(let operand): earliest(operand, !wanted)
    case .and(let operands): join(operands.map { earliest($0, wanted) }, needsAll: wanted)
    case .or(let operands): join(operands.map { earliest($0, wanted) }, needsAll: !wanted)
    case .implies(let left, let right):
      join([earliest(left, !wanted), earliest(right, wanted)], needsAll: !wanted)
    case .heldFor(let operand, let span, _): held(expression, operand, span, wanted)
    case .inLast(let operand, let span): remembered(expression, operand, span, wanted)
    case .age(let path, let comparison, let span): aged(path, wanted ? comparison : comparison.negated, span)
    case .inSchedule(let index):
      situation.truth(expression) == (wanted ? .yes : .no) ? now : explainer.scheduled(index, wanted).passes
    default: situation.truth(expression) == (wanted ? .yes : .no) ? now : nil
    }
  }

  private func join(_ instants: [Instant?], needsAll: Bool) -> Instant? {
    guard needsAll else { return instants.compactMap(\.self).min() }
    var latest = now
    for instant in instants {
      guard let instant else { return nil }
      latest = max(latest, instant)
    }
    return latest
  }

  private func held(
    _ expression: CheckedExpression, _ operand: CheckedExpression, _ span: TimeSpan, _ wanted: Bool
  ) -> Instant? {
    guard let begin = earliest(operand, wanted) else { return nil }
    guard wanted else { return begin }
    // What has been true for a while goes on counting, if it stays true.
    if begin == now, let since = situation.memory(expression).since { return max(now, since + span) }
    return begin + span
  }

  private func remembered(
    _ expression: CheckedExpression, _ operand: CheckedExpression, _ span: TimeSpan, _ wanted: Bool
  ) -> Instant? {
    guard !wanted else {
      return situation.truth(expression) == .yes ? now : earliest(operand, true)
    }
    guard let end = earliest(operand, false) else { return nil }
    let last = situation.memory(expression).since
    // What is true up to now counts from now; what was true before counts from then.
    if end == now, Outlook(original).earliest(operand, true) != now, let last {
      return max(now, last + span)
    }
    return last == nil && end == now ? now : end + span
  }

  private func aged(_ path: String, _ comparison: Comparison, _ span: TimeSpan) -> Instant? {
    guard let published = situation.published(path) else { return nil }
    if comparison.holds((now - published).nanoseconds, span.nanoseconds) { return now }
    switch comparison {
    case .greater: return published + span + .tick
    case .greaterOrEqual: return published + span
    default: return nil
    }
  }
}
