import StintModel
import StintUnits

/// When periods of budgets begin and end, in local time.
struct BudgetPeriod: Hashable, Sendable {
  let period: Budget.Period
  /// Since local midnight; since the full hour for hours.
  let from: TimeSpan

  /// The period that an instant lies in.
  func containing(_ instant: Instant, utcOffset: TimeSpan) -> (start: Instant, end: Instant) {
    let day: Int64 = 86_400_000_000_000
    // The epoch was a Thursday; weeks begin on Monday.
    let (length, shift): (Int64, Int64) =
      switch period {
      case .hour: (day / 24, 0)
      case .day: (day, 0)
      case .week: (7 * day, 4 * day)
      }
    let origin = shift + from.nanoseconds - utcOffset.nanoseconds
    let (quotient, rest) = (instant.nanoseconds - origin).quotientAndRemainder(dividingBy: length)
    let start = origin + (rest < 0 ? quotient - 1 : quotient) * length
    return (Instant(nanoseconds: start), Instant(nanoseconds: start + length))
  }
}
