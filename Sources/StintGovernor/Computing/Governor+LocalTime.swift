import StintMachine
import StintModel
import StintUnits

/// The wall clock of the host was set, or its time zone changed.
///
/// What counts spans of time goes on: holds, deadlines, lingers, `for`, `every`. What counts days goes by the new local
/// time. A budget is given again where the clock went on to a later period; where it went back, what was spent counts
/// for the earlier one, so that a clock that swings gives no budget twice.
extension Governor {
  mutating func follow(_ rules: TimeZoneRules) {
    guard rules != timeZone else { return }
    let former = timeZone
    timeZone = rules
    self.rules.set(timeZone: rules, at: now)
    for place in computed.indices {
      switch computed[place].kind {
      case .meter(var meter):
        if meter.end <= now || isLater(meter.period, than: former) { meter.before = drawn(meter.devices) }
        meter.end = meter.period.containing(now, in: rules).end
        computed[place].kind = .meter(meter)
      case .serviceMeter(let word, var before, let end):
        let day = BudgetPeriod(period: .day, from: .zero)
        if end <= now || isLater(day, than: former) { before = energy.ledger.byService[word] ?? .zero }
        computed[place].kind = .serviceMeter(word, before: before, end: day.containing(now, in: rules).end)
      case .wakeups, .unexplained, .estimate, .zone, .observed, .rule, .grant, .machine, .foreign:
        continue
      }
    }
    mustCompute = true
  }

  /// Whether the local period that it is now is a later one than by the former rules.
  private func isLater(_ period: BudgetPeriod, than former: TimeZoneRules) -> Bool {
    let length = period.containing(now, in: former)
    // Days are not all as long: begins that lie less than half a period apart are of the same one.
    let half = (length.end - length.start).nanoseconds / 2
    return Self.begin(period, now, timeZone) > Self.begin(period, now, former) + half
  }

  /// What the clock of the place shows at the begin of the period, in nanoseconds since 1970.
  private static func begin(_ period: BudgetPeriod, _ now: Instant, _ rules: TimeZoneRules) -> Int64 {
    let start = period.containing(now, in: rules).start
    return (start + rules.offset(at: start)).nanoseconds
  }
}
