import StintUnits

extension ImageSchedule {
  private static let day: Int64 = 86_400_000_000_000

  /// Whether local time lies in one of the windows.
  func contains(_ instant: Instant, utcOffset: TimeSpan) -> Bool {
    let (weekday, clock) = Self.local(instant, utcOffset)
    return windows.contains { window in
      if window.from < window.to { return window.days[weekday] && clock >= window.from && clock < window.to }
      let yesterday = (weekday + 6) % 7
      return (window.days[weekday] && clock >= window.from) || (window.days[yesterday] && clock < window.to)
    }
  }

  /// The next instant at which the answer is another; the distant future when it never is.
  func nextChange(after instant: Instant, utcOffset: TimeSpan) -> Instant {
    let isInside = contains(instant, utcOffset: utcOffset)
    var boundary = nextBoundary(after: instant, utcOffset: utcOffset)
    // Weeks are alike: what does not change within one and a day never does.
    while boundary <= instant + .hours(8 * 24) {
      if contains(boundary, utcOffset: utcOffset) != isInside { return boundary }
      boundary = nextBoundary(after: boundary, utcOffset: utcOffset)
    }
    return .distantFuture
  }

  /// The next instant at which a window may begin or end.
  private func nextBoundary(after instant: Instant, utcOffset: TimeSpan) -> Instant {
    let (_, clock) = Self.local(instant, utcOffset)
    var next = TimeSpan(nanoseconds: Self.day)
    for window in windows {
      for edge in [window.from, window.to] {
        let ahead = edge > clock ? edge - clock : edge - clock + TimeSpan(nanoseconds: Self.day)
        next = min(next, ahead)
      }
    }
    return instant + next
  }

  /// The weekday (0 is Monday) and the time since local midnight.
  private static func local(_ instant: Instant, _ utcOffset: TimeSpan) -> (weekday: Int, clock: TimeSpan) {
    let local = instant.nanoseconds + utcOffset.nanoseconds
    var (days, clock) = local.quotientAndRemainder(dividingBy: day)
    if clock < 0 {
      clock += day
      days -= 1
    }
    // The epoch was a Thursday.
    let weekday = Int(((days + 3) % 7 + 7) % 7)
    return (weekday, TimeSpan(nanoseconds: clock))
  }
}
