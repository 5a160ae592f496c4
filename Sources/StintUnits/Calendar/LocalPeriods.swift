/// Periods of equal length on clock and calendar of a place: hours, days or weeks that begin at some time.
///
/// A period lasts from one begin to the next, so that days of 23 and of 25 hours are one period each. A
/// begin that the clock leaps over happens when it leaps. One that the clock shows twice, because it is put
/// back, counts the first time; the second time too only where a whole period lies between: the hour that
/// comes twice is two hours.
public struct LocalPeriods: Hashable, Sendable {
  /// How long a period is when the clock is left alone; at least a minute.
  public var length: TimeSpan
  /// A begin, since local midnight of 1970-01-01, which was a Thursday.
  public var origin: TimeSpan

  /// Makes periods.
  public init(length: TimeSpan, origin: TimeSpan) {
    precondition(length >= .minutes(1), "periods are at least a minute long")
    self.length = length
    self.origin = origin
  }

  /// The period that an instant lies in, and with whose end the next begins.
  public func containing(_ instant: Instant, in timeZone: TimeZoneRules) -> (start: Instant, end: Instant) {
    // No period is longer than twice its length; lists of odd transitions may need another step back.
    var reach = length + length
    while true {
      let from = instant - reach
      var start = begin(notBefore: from, in: timeZone)
      // At the beginning of time the period has begun before it.
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

  /// The first instant, this one or later, at which a period begins.
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

  /// The first instant from one on at which a clock shows a begin, were it left alone.
  private func firstBegin(_ instant: Instant, _ offset: TimeSpan) -> Instant {
    let local = Int128(instant.nanoseconds) + Int128(offset.nanoseconds) - Int128(origin.nanoseconds)
    let rest = Int64(local % Int128(length.nanoseconds))
    let passed = rest < 0 ? rest + length.nanoseconds : rest
    let exact = Int128(instant.nanoseconds) + Int128(length.nanoseconds) - Int128(passed)
    return passed == 0 ? instant : Instant(nanoseconds: Int64(clamping: exact))
  }

  /// Whether a begin lies in what the clock leaps over when it is put forward.
  private func isSkipped(_ instant: Instant, from before: TimeSpan, to after: TimeSpan) -> Bool {
    after > before && firstBegin(instant, before) <= instant + (after - before)
  }

  /// Whether the clock was put back and showed this begin before, less than a period ago.
  private func isRepeated(_ begin: Instant, in stretch: TimeZoneRules.Stretch) -> Bool {
    guard let start = stretch.start?.instant else { return false }
    let shift = stretch.before - stretch.offset
    return shift > .zero && shift < length && begin < start + shift
  }
}

/// What calendar and clock of a place show at an instant, as windows of local time see it.
///
/// A window opens when the clock first shows its begin, or leaps over it, and closes when the clock last shows
/// its end, or leaps over it. So whatever time the clock shows twice is in its windows both times, and no
/// window opens twice in one night. A window of which the clock leaps over all does not open.
public struct WindowClock: Sendable {
  /// The latest that the clock has shown; later than now for a while after it is put back.
  var reached: (day: Int, clock: TimeSpan)
  /// The earliest that the clock is yet to show; earlier than now for a while before it is put back.
  var upcoming: (day: Int, clock: TimeSpan)

  /// Whether a window is open that runs from one time of day to another, of the next day where that is not
  /// later, and begins on some days of the week, 0 for Monday.
  public func isOpen(from: TimeSpan, to: TimeSpan, on runs: (Int) -> Bool) -> Bool {
    let end = to > from ? to : to + .hours(24)
    return ((upcoming.day - 1)...max(upcoming.day, reached.day)).contains { day in
      runs(CivilCalendar.weekday(ofDay: day))
        && .hours(24 * Int64(reached.day - day)) + reached.clock >= from
        && .hours(24 * Int64(upcoming.day - day)) + upcoming.clock < end
    }
  }
}
