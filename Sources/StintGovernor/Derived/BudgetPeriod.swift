import StintModel
import StintUnits

/// Computes when the periods of budgets begin and end in local time.
struct BudgetPeriod: Hashable, Sendable {
  let period: Budget.Period
  /// The offset of the period's start. For days it counts from local midnight, for hours from the full hour,
  /// for weeks from the midnight at which Monday begins.
  let from: TimeSpan

  /// The local day.
  static let day = BudgetPeriod(period: .day, from: .zero)

  func containing(_ instant: Instant, in timeZone: TimeZoneRules) -> (start: Instant, end: Instant) {
    // The epoch was a Thursday, and weeks begin on Monday.
    let (length, shift): (TimeSpan, TimeSpan) =
      switch period {
      case .hour: (.hours(1), .zero)
      case .day: (.hours(24), .zero)
      case .week: (.hours(7 * 24), .hours(4 * 24))
      }
    return LocalPeriods(length: length, origin: shift + from).containing(instant, in: timeZone)
  }

  /// Returns whether an instant lies in a later period under the new time zone rules than under the former
  /// rules.
  func isLater(at now: Instant, by rules: TimeZoneRules, than former: TimeZoneRules) -> Bool {
    let formerPeriod = containing(now, in: former)
    // Days differ in length. When two starts differ by less than half a period, both are the start of the
    // same period.
    let half = (formerPeriod.end - formerPeriod.start).nanoseconds / 2
    return localStart(now, rules) > localStart(now, former) + half
  }

  /// Returns the local time at the start of the period, in nanoseconds since 1970.
  private func localStart(_ now: Instant, _ rules: TimeZoneRules) -> Int64 {
    let start = containing(now, in: rules).start
    return (start + rules.offset(at: start)).nanoseconds
  }
}
