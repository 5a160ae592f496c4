/// Periods of equal length in local time: hours, days or weeks with a given start.
///
/// A period lasts from one start to the next. So a day on which the clock changes is one period, for example
/// of 23 or 25 hours. When the clock is put forward over a start, the period begins at that jump. When the
/// clock is put back, it shows some starts twice. A period begins at the first of the two instants. Another
/// period begins at the second instant only if a whole period lies between them, so with periods of one hour,
/// a repeated hour contains two periods.
public struct LocalPeriods: Hashable, Sendable {
  /// The length of a period without clock changes; at least one minute.
  public var length: TimeSpan
  /// The start of one period, as the time since local midnight of 1970-01-01, a Thursday.
  public var origin: TimeSpan

  /// Makes periods of a length of at least one minute.
  public init(length: TimeSpan, origin: TimeSpan) {
    precondition(length >= .minutes(1), "a period must be at least one minute long")
    self.length = length
    self.origin = origin
  }

  /// Returns the period that contains an instant. `end` is the start of the next period.
  public func containing(_ instant: Instant, in timeZone: TimeZoneRules) -> (start: Instant, end: Instant) {
    // A period normally lasts at most twice `length`. With unusual transitions, the search must begin
    // earlier.
    var reach = length + length
    while true {
      let from = instant - reach
      var start = begin(notBefore: from, in: timeZone)
      // The period that contains the first representable instant began before this instant.
      if start > instant, from.nanoseconds == .min { return (from, start) }
      if start <= instant {
        while true {
          let end = begin(notBefore: start + TimeSpan(nanoseconds: 1), in: timeZone)
          if end > instant || end == .distantFuture { return (start, end) }
          start = end
        }
      }
      reach = reach + reach
    }
  }

  /// Returns the first period start at or after an instant.
  public func begin(notBefore instant: Instant, in timeZone: TimeZoneRules) -> Instant {
    var from = instant
    while true {
      let stretch = timeZone.stretch(at: from)
      if stretch.start?.instant == from, isSkipped(from, from: stretch.before, to: stretch.offset) {
        return from
      }
      var begin = firstBegin(from, stretch.offset)
      if isRepeated(begin, in: stretch) { begin = begin + length }
      guard let end = stretch.end?.instant, begin >= end else { return begin }
      from = end
    }
  }

  /// Returns the first period start at or after an instant, for a clock with a constant offset.
  private func firstBegin(_ instant: Instant, _ offset: TimeSpan) -> Instant {
    let local = Int128(instant.nanoseconds) + Int128(offset.nanoseconds) - Int128(origin.nanoseconds)
    let rest = Int64(local % Int128(length.nanoseconds))
    let passed = rest < 0 ? rest + length.nanoseconds : rest
    let exact = Int128(instant.nanoseconds) + Int128(length.nanoseconds) - Int128(passed)
    return passed == 0 ? instant : Instant(nanoseconds: Int64(clamping: exact))
  }

  /// Returns whether the clock is put forward over a period start at this instant.
  private func isSkipped(_ instant: Instant, from before: TimeSpan, to after: TimeSpan) -> Bool {
    after > before && firstBegin(instant, before) <= instant + (after - before)
  }

  /// Returns whether the clock showed this period start before, less than a period ago, and was then put
  /// back.
  private func isRepeated(_ begin: Instant, in stretch: TimeZoneRules.Stretch) -> Bool {
    guard let start = stretch.start?.instant else { return false }
    let shift = stretch.before - stretch.offset
    return shift > .zero && shift < length && begin < start + shift
  }
}

/// The local date and time at an instant, for evaluating windows of local time.
///
/// A window opens when the clock first shows or skips its start, and closes when the clock last shows or
/// skips its end. So a time of day that the clock shows twice is inside its windows both times, and no window
/// opens twice in one night. A window that the clock skips completely does not open.
public struct WindowClock: Sendable {
  /// The latest local time that the clock has shown. For a while after the clock is put back, this time is
  /// ahead of the current local time.
  var reached: (day: Int, clock: TimeSpan)
  /// The earliest local time that the clock will show. For a while before the clock is put back, this time is
  /// behind the current local time.
  var upcoming: (day: Int, clock: TimeSpan)

  /// Returns whether the daily window that begins at `from` is open. `runs` returns whether the window begins
  /// on a weekday (0 is Monday).
  ///
  /// The window ends at `to`, on the next day when `to` is not later than `from`.
  public func isOpen(from: TimeSpan, to: TimeSpan, on runs: (Int) -> Bool) -> Bool {
    let end = to > from ? to : to + .hours(24)
    return ((upcoming.day - 1)...max(upcoming.day, reached.day)).contains { day in
      runs(CivilCalendar.weekday(ofDay: day))
        && .hours(24 * Int64(reached.day - day)) + reached.clock >= from
        && .hours(24 * Int64(upcoming.day - day)) + upcoming.clock < end
    }
  }
}
