import StintLanguage
public import StintUnits

/// A moment on the clock and the calendar of a place.
public struct LocalMoment: Hashable, Sendable, CustomStringConvertible {
  /// 0 is Monday.
  public var weekday: Int
  /// Since local midnight.
  public var clock: TimeSpan

  private static let day: Int64 = 86_400_000_000_000

  /// The moment in a place whose time is UTC plus `utcOffset`.
  public init(_ instant: Instant, _ utcOffset: TimeSpan) {
    let local = Int128(instant.nanoseconds) + Int128(utcOffset.nanoseconds)
    var (days, clock) = local.quotientAndRemainder(dividingBy: Int128(Self.day))
    if clock < 0 {
      clock += Int128(Self.day)
      days -= 1
    }
    // The epoch was a Thursday.
    weekday = Int(((days + 3) % 7 + 7) % 7)
    self.clock = TimeSpan(nanoseconds: Int64(clock))
  }

  /// `14:05:10`.
  public var description: String {
    let seconds = clock.nanoseconds / 1_000_000_000
    return [seconds / 3600, seconds / 60 % 60, seconds % 60].map(Self.twoDigits).joined(separator: ":")
  }

  /// `14:05`.
  public var minutes: String { String(description.prefix(5)) }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Whether one of the schedule's windows is open.
  func isIn(_ schedule: CheckedSchedule) -> Bool {
    schedule.windows.contains { window in
      func runs(on day: Int) -> Bool { window.days.isEmpty || window.days.contains(day) }
      if window.from < window.to { return runs(on: weekday) && clock >= window.from && clock < window.to }
      return (runs(on: weekday) && clock >= window.from)
        || (runs(on: (weekday + 6) % 7) && clock < window.to)
    }
  }
}
