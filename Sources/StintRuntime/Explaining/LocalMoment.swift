import StintLanguage
public import StintUnits

/// An instant as local date and time.
public struct LocalMoment: Hashable, Sendable, CustomStringConvertible {
  /// The day of the week: 0 is Monday, 6 is Sunday.
  public var weekday: Int
  /// The time of day: the span since local midnight as clocks show it.
  public var clock: TimeSpan
  /// The day, in days since 1970-01-01.
  public var day: Int

  /// Converts an instant to local time.
  public init(_ instant: Instant, _ timeZone: TimeZoneRules) {
    (weekday, clock) = timeZone.local(instant)
    day = timeZone.localDay(instant)
  }

  /// The time of day, as in `14:05:10`.
  public var description: String {
    let seconds = clock.nanoseconds / 1_000_000_000
    return [seconds / 3600, seconds / 60 % 60, seconds % 60].map(Self.twoDigits).joined(separator: ":")
  }

  /// Returns the time of day. When the day differs from the day of `present`, the date precedes the time.
  public func text(at present: LocalMoment) -> String { day == present.day ? description : dated }

  /// Date and time, as in `2026-11-22 14:05:10`.
  public var dated: String {
    let year = CivilCalendar.year(ofDay: day)
    let month = (1...12).last { CivilCalendar.days(year: year, month: $0, day: 1) <= day } ?? 1
    let dayOfMonth = day - CivilCalendar.days(year: year, month: month, day: 1) + 1
    return "\(year)-\(Self.twoDigits(Int64(month)))-\(Self.twoDigits(Int64(dayOfMonth))) \(self)"
  }

  /// The time of day without seconds, as in `14:05`.
  public var minutes: String { String(description.prefix(5)) }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension CheckedSchedule {
  /// Returns true when the instant is within one of the schedule's windows.
  func isOpen(_ instant: Instant, in timeZone: TimeZoneRules) -> Bool {
    let clock = timeZone.windowClock(at: instant)
    return windows.contains { window in
      clock.isOpen(from: window.from, to: window.to) { window.days.isEmpty || window.days.contains($0) }
    }
  }
}
