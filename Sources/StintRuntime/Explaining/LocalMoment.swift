import StintLanguage
public import StintUnits

/// A moment on the clock and the calendar of a place.
public struct LocalMoment: Hashable, Sendable, CustomStringConvertible {
  /// 0 is Monday.
  public var weekday: Int
  /// Since local midnight.
  public var clock: TimeSpan
  /// The day, counted since 1970-01-01.
  public var day: Int

  /// What calendar and clock of a place show at an instant.
  public init(_ instant: Instant, _ timeZone: TimeZoneRules) {
    (weekday, clock) = timeZone.local(instant)
    day = timeZone.localDay(instant)
  }

  /// `14:05:10`.
  public var description: String {
    let seconds = clock.nanoseconds / 1_000_000_000
    return [seconds / 3600, seconds / 60 % 60, seconds % 60].map(Self.twoDigits).joined(separator: ":")
  }

  /// `2026-11-22 14:05:10`.
  public var dated: String {
    let year = CivilCalendar.year(ofDay: day)
    let month = (1...12).last { CivilCalendar.days(year: year, month: $0, day: 1) <= day } ?? 1
    let number = day - CivilCalendar.days(year: year, month: month, day: 1) + 1
    return "\(year)-\(Self.twoDigits(Int64(month)))-\(Self.twoDigits(Int64(number))) \(self)"
  }

  /// `14:05`.
  public var minutes: String { String(description.prefix(5)) }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension CheckedSchedule {
  /// Whether one of the windows is open.
  func isOpen(_ instant: Instant, in timeZone: TimeZoneRules) -> Bool {
    let clock = timeZone.windowClock(at: instant)
    return windows.contains { window in
      clock.isOpen(from: window.from, to: window.to) { window.days.isEmpty || window.days.contains($0) }
    }
  }
}
