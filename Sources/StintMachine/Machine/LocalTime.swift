import StintUnits

extension ImageSchedule {
  /// Returns whether one of the windows contains an instant.
  func contains(_ instant: Instant, in timeZone: TimeZoneRules) -> Bool {
    let clock = timeZone.windowClock(at: instant)
    return windows.contains { window in clock.isOpen(from: window.from, to: window.to) { window.days[$0] } }
  }

  /// Returns the next instant at which `contains` changes; the distant future when it never does.
  func nextChange(after instant: Instant, in timeZone: TimeZoneRules) -> Instant {
    let isInside = contains(instant, in: timeZone)
    let edges = windows.flatMap { [$0.from, $0.to] }
    var moment = instant
    var constantOffsetSince = instant
    // Schedules repeat weekly. If no clock change occurs, a schedule that is constant for eight days is
    // constant forever.
    while moment <= constantOffsetSince + .hours(8 * 24) {
      let next = timeZone.nextMoment(after: moment, clocks: edges)
      guard next < .distantFuture else { break }
      if contains(next, in: timeZone) != isInside { return next }
      if timeZone.offset(at: next) != timeZone.offset(at: moment) { constantOffsetSince = next }
      moment = next
    }
    return .distantFuture
  }
}
