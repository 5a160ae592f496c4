extension TimeZoneRules {
  private static let day: Int64 = 86_400_000_000_000

  /// Returns the local weekday (0 is Monday) and the local time of day.
  ///
  /// The time of day is the time that the clock shows. On a day with a clock change it differs from the time
  /// since midnight.
  public func local(_ instant: Instant) -> (weekday: Int, clock: TimeSpan) {
    let (day, clock) = Self.shown(instant, offset(at: instant))
    return (CivilCalendar.weekday(ofDay: day), clock)
  }

  /// Returns the local date as days since 1970-01-01.
  public func localDay(_ instant: Instant) -> Int { Self.shown(instant, offset(at: instant)).day }

  /// Returns the local times that decide which windows are open at an instant; see `WindowClock`.
  public func windowClock(at instant: Instant) -> WindowClock {
    guard !isFixed else {
      let shown = Self.shown(instant, offset(at: instant))
      return WindowClock(reached: shown, upcoming: shown)
    }
    let stretch = stretch(at: instant)
    let shown = Self.shown(instant, stretch.offset)
    var clock = WindowClock(reached: shown, upcoming: shown)
    let setBack = stretch.before - stretch.offset
    if let start = stretch.start?.instant, setBack > .zero, instant < start + setBack {
      clock.reached = Self.shown(start - TimeSpan(nanoseconds: 1), stretch.before)
    }
    if let end = stretch.end, end.offset < stretch.offset,
      end.instant <= instant + (stretch.offset - end.offset)
    {
      clock.upcoming = Self.shown(end.instant, end.offset)
    }
    return clock
  }

  /// Returns the days since 1970-01-01 and the time of day, for local time that is UTC plus an offset.
  private static func shown(_ instant: Instant, _ offset: TimeSpan) -> (day: Int, clock: TimeSpan) {
    let local = Int128(instant.nanoseconds) + Int128(offset.nanoseconds)
    var (days, clock) = local.quotientAndRemainder(dividingBy: Int128(day))
    if clock < 0 {
      clock += Int128(day)
      days -= 1
    }
    return (Int(days), TimeSpan(nanoseconds: Int64(clock)))
  }

  /// Returns the next instant at which the clock reaches one of the times of day or is changed.
  ///
  /// Times are at least zero and at most 24 h. Without times, the result is 24 h later or the next clock
  /// change, whichever is first.
  public func nextMoment(after instant: Instant, clocks: [TimeSpan]) -> Instant {
    let clock = local(instant).clock
    var ahead = TimeSpan(nanoseconds: Self.day)
    for edge in clocks {
      ahead = min(ahead, edge > clock ? edge - clock : edge - clock + TimeSpan(nanoseconds: Self.day))
    }
    let moment = instant + ahead
    return nextTransition(after: instant).map { min(moment, $0.instant) } ?? moment
  }

  /// Returns the first instant at or after `instant` at which the clock shows or skips a time of day.
  public func instant(showing clock: TimeSpan, notBefore instant: Instant) -> Instant {
    let begin = LocalPeriods(length: .hours(24), origin: clock).begin(notBefore: instant, in: self)
    // When the clock shows a time of day at two instants, `begin` ignores the second instant. If `instant`
    // lies between the two, the second instant is the result.
    var moment = instant
    while moment < begin, local(moment).clock != clock { moment = nextMoment(after: moment, clocks: [clock]) }
    return min(moment, begin)
  }
}
