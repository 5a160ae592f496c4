import StintUnits

/// Puts epochs on one line of time, although most sentences tell the time of day only.
struct EpochCalendar {
  /// The day of the last epoch, counted from the first.
  private var day = 0
  private var last: TimeSpan?
  /// The date of day 0, once a sentence has told one.
  private var base: Int?

  /// Since midnight of the first day.
  mutating func time(of epoch: Epoch) -> TimeSpan {
    if let date = epoch.day, let base {
      day = date - base
    } else if let last, epoch.timeOfDay < last - .hours(12) {
      day += 1
    }
    if base == nil, let date = epoch.day { base = date - day }
    last = epoch.timeOfDay
    return .hours(Int64(day) * 24) + epoch.timeOfDay
  }
}
