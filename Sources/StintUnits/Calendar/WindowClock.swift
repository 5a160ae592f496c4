/// What calendar and clock of a place show at an instant, as windows of local time see it.
///
/// A window opens when the clock first shows its begin, or leaps over it, and closes when the clock last shows
/// its end, or leaps over it. So whatever time the clock shows twice is in its windows both times, and no
/// window opens twice in one night. A window of which the clock leaps over all does not open.
public struct WindowClock: Sendable {
  /// The latest that the clock has shown; later than now for a while after it is put back.
  var reached: (day: Int, clock: TimeSpan)
  /// The earliest that the clock is yet to show; earlier than now for a while before it is put back.
  var toCome: (day: Int, clock: TimeSpan)

  /// Whether a window is open that runs from one time of day to another, of the next day where that is not
  /// later, and begins on some days of the week, 0 for Monday.
  public func isOpen(from: TimeSpan, to: TimeSpan, on runs: (Int) -> Bool) -> Bool {
    let end = to > from ? to : to + .hours(24)
    return ((toCome.day - 1)...max(toCome.day, reached.day)).contains { day in
      runs(CivilCalendar.weekday(ofDay: day))
        && .hours(24 * Int64(reached.day - day)) + reached.clock >= from
        && .hours(24 * Int64(toCome.day - day)) + toCome.clock < end
    }
  }
}
