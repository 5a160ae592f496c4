import StintModel
import StintUnits

/// When periods of budgets begin and end, in local time.
struct BudgetPeriod: Hashable, Sendable {
  let period: Budget.Period
  /// Since local midnight; since the full hour for hours.
  let from: TimeSpan

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
}
