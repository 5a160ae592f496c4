import StintModel
import StintUnits

/// When periods of budgets begin and end, in local time.
struct BudgetPeriod: Hashable, Sendable {
  let period: Budget.Period
  /// Since local midnight; since the full hour for hours.
  let from: TimeSpan

  /// The local day.
  static let day = BudgetPeriod(period: .day, from: .zero)

  /// The period that an instant lies in.
  func containing(_ instant: Instant, in timeZone: TimeZoneRules) -> (start: Instant, end: Instant) {
    // The epoch was a Thursday; weeks begin on Monday.
    let (length, shift): (TimeSpan, TimeSpan) =
      switch period {
      case .hour: (.hours(1), .zero)
      case .day: (.hours(24), .zero)
      case .week: (.hours(7 * 24), .hours(4 * 24))
      }
    return LocalPeriods(length: length, origin: shift + from).containing(instant, in: timeZone)
  }

  /// Whether the period of an instant is a later one by these rules than by the former ones.
  func isLater(at now: Instant, by rules: TimeZoneRules, than former: TimeZoneRules) -> Bool {
    let length = containing(now, in: former)
    // Days differ in length: starts that lie less than half a period apart belong to one period.
    let half = (length.end - length.start).nanoseconds / 2
    return localStart(now, rules) > localStart(now, former) + half
  }

  /// The local clock at the start of the period, in nanoseconds since 1970.
  private func localStart(_ now: Instant, _ rules: TimeZoneRules) -> Int64 {
    let start = containing(now, in: rules).start
    return (start + rules.offset(at: start)).nanoseconds
  }
}
