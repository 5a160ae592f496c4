import StintUnits

extension ImageSchedule {
  /// Whether one of the windows is open.
  func contains(_ instant: Instant, in timeZone: TimeZoneRules) -> Bool {
    let clock = timeZone.windowClock(at: instant)
    return windows.contains { window in clock.isOpen(from: window.from, to: window.to) { window.days[$0] } }
  }

  /// The next instant at which the answer is another; the distant future when it never is.
  func nextChange(after instant: Instant, in timeZone: TimeZoneRules) -> Instant {
    let isInside = contains(instant, in: timeZone)
    let edges = windows.flatMap { [$0.from, $0.to] }
    var moment = instant
    var undisturbed = instant
    // Weeks are alike: what does not change within one and a day, clocks left alone, never does.
    while moment <= undisturbed + .hours(8 * 24) {
      let next = timeZone.nextMoment(after: moment, clocks: edges)
      guard next < .distantFuture else { break }
      if contains(next, in: timeZone) != isInside { return next }
      if timeZone.offset(at: next) != timeZone.offset(at: moment) { undisturbed = next }
      moment = next
    }
    return .distantFuture
  }
}
