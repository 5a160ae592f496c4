extension TimeZoneRules {
  private static let day: Int64 = 86_400_000_000_000

  /// What calendar and clock of the place show: the weekday (0 is Monday) and the time since midnight.
  ///
  /// The clock is what hangs on the wall: on a day that loses or gains an hour it is not the time that has
  /// passed since midnight.
  public func local(_ instant: Instant) -> (weekday: Int, clock: TimeSpan) {
    let local = Int128(instant.nanoseconds) + Int128(offset(at: instant).nanoseconds)
    var (days, clock) = local.quotientAndRemainder(dividingBy: Int128(Self.day))
    if clock < 0 {
      clock += Int128(Self.day)
      days -= 1
    }
    return (CivilCalendar.weekday(ofDay: Int(days)), TimeSpan(nanoseconds: Int64(clock)))
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
}
