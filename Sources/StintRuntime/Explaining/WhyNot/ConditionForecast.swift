import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// A forecast of conditions under the assumption that some facts change now and no fact changes later.
struct ConditionForecast {
  let situation: Situation
  /// The paths of the facts that keep getting new values. Comparisons with the ages of these facts keep their
  /// present results.
  let arriving: Set<String>
  /// The forecasts of the policy's schedules, by index.
  private let schedules: [Forecast]

  /// Creates a forecast without changed facts.
  init(_ situation: Situation, arriving: Set<String> = []) {
    self.situation = situation
    self.arriving = arriving
    schedules = situation.schedules.map { Self.forecast($0, situation) }
  }

  private init(_ situation: Situation, arriving: Set<String>, schedules: [Forecast]) {
    self.situation = situation
    self.arriving = arriving
    self.schedules = schedules
  }

  /// Returns the forecast in which these facts, by path, are published with these values now.
  func assuming(_ assumed: [String: FactValue]) -> ConditionForecast {
    guard !assumed.isEmpty else { return self }
    let original = situation
    var changed = situation
    changed.value = { assumed[$0] ?? original.value($0) }
    changed.published = { path in
      guard let value = assumed[path] else { return original.published(path) }
      return value == .unknown ? nil : original.now
    }
    return ConditionForecast(changed, arriving: arriving, schedules: schedules)
  }

  /// Returns the truth value of a condition from now on.
  func forecast(_ condition: CheckedExpression) -> Forecast {
    var domain = self
    return domain.value(of: condition, at: ())
  }

  /// Returns the truth value of a schedule for the next 15 days. The limit is 15 days because a clock change
  /// can skip a weekly window once, but not twice.
  private static func forecast(_ schedule: CheckedSchedule, _ situation: Situation) -> Forecast {
    let zone = situation.timeZone
    let edges = schedule.windows.flatMap { [$0.from, $0.to] }
    var moment = situation.now
    var forecast = Forecast(Truth(schedule.isOpen(moment, in: zone)), from: moment)
    while !edges.isEmpty, moment <= situation.now + .hours(15 * 24) {
      moment = zone.nextMoment(after: moment, clocks: edges)
      forecast.append(Truth(schedule.isOpen(moment, in: zone)), from: moment)
    }
    return forecast
  }
}

extension ConditionForecast: ConditionDomain {
  func negated(_ value: Forecast) -> Forecast { value.negated }
  func all(_ values: [Forecast]) -> Forecast { values.dropFirst().reduce(values[0]) { $0.and($1) } }
  func any(_ values: [Forecast]) -> Forecast { all(values.map(\.negated)).negated }

  func leaf(_ part: CheckedExpression, at context: Void) -> Forecast {
    switch part.kind {
    case .heldFor(let operand, let span, let tolerate):
      return forecast(operand).held(for: span, since: situation.memory(part).since, tolerate: tolerate)
    case .inLast(let operand, let span):
      // An operand that was true at the last evaluation counts as true until now.
      let memory = situation.memory(part)
      return forecast(operand)
        .remembered(for: span, last: memory.isClosed ? situation.now : memory.since)
    case .age(let path, let comparison, let span): return ageForecast(path, comparison, span)
    case .inSchedule(let index) where schedules.indices.contains(index): return schedules[index]
    default: return Forecast(situation.truth(part), from: situation.now)
    }
  }

  private func ageForecast(_ path: String, _ comparison: Comparison, _ span: TimeSpan) -> Forecast {
    guard let published = situation.published(path) else { return Forecast(.unknown, from: situation.now) }
    let present = Truth(comparison.holds((situation.now - published).nanoseconds, span.nanoseconds))
    let tick: TimeSpan = comparison == .greater || comparison == .lessOrEqual ? .tick : .zero
    let change = published + span + tick
    guard change > situation.now, !arriving.contains(path) else {
      return Forecast(present, from: situation.now)
    }
    return Forecast(present, from: situation.now, then: present.negated, at: change)
  }
}
