extension TimeZoneRules {
  private static let day: Int64 = 86_400_000_000_000

  /// What calendar and clock of the place show: the weekday (0 is Monday) and the time since midnight.
  ///
  /// The clock is what hangs on the wall: on a day that loses or gains an hour it is not the time that has
  /// passed since midnight.
  public func local(_ instant: Instant) -> (weekday: Int, clock: TimeSpan) {
    let (day, clock) = Self.shown(instant, offset(at: instant))
    return (CivilCalendar.weekday(ofDay: day), clock)
  }

  /// The day that the calendar of the place shows, counted since 1970-01-01.
  public func localDay(_ instant: Instant) -> Int { Self.shown(instant, offset(at: instant)).day }

  /// How far windows of the clock have come; see `WindowClock`.
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

  /// The day, since 1970-01-01, and the time since its midnight, where local time is UTC plus an offset.
  private static func shown(_ instant: Instant, _ offset: TimeSpan) -> (day: Int, clock: TimeSpan) {
    let local = Int128(instant.nanoseconds) + Int128(offset.nanoseconds)
    var (days, clock) = local.quotientAndRemainder(dividingBy: Int128(day))
    if clock < 0 {
      clock += Int128(day)
      days -= 1
    }
    return (Int(days), TimeSpan(nanoseconds: Int64(clock)))
  }

  /// The next instant at which the clock comes to one of the times of day, or is put forward or back.
  ///
  /// Times are at least zero and at most 24 h; without any it is the same time tomorrow, or a transition.
  public func nextMoment(after instant: Instant, clocks: [TimeSpan]) -> Instant {
    let clock = local(instant).clock
    var ahead = TimeSpan(nanoseconds: Self.day)
    for edge in clocks {
      ahead = min(ahead, edge > clock ? edge - clock : edge - clock + TimeSpan(nanoseconds: Self.day))
    }
    let moment = instant + ahead
    return nextTransition(after: instant).map { min(moment, $0.instant) } ?? moment
  }

  /// The first instant, this one or later, at which the clock shows a time of day or leaps over it.
  public func instant(showing clock: TimeSpan, notBefore instant: Instant) -> Instant {
    let begin = LocalPeriods(length: .hours(24), origin: clock).begin(notBefore: instant, in: self)
    // That is the first time only, where the clock shows it twice; the second may come sooner.
    var moment = instant
    while moment < begin, local(moment).clock != clock { moment = nextMoment(after: moment, clocks: [clock]) }
    return min(moment, begin)
  }
}
