import StintLanguage
public import StintUnits

/// A moment on the clock and the calendar of a place.
public struct LocalMoment: Hashable, Sendable, CustomStringConvertible {
  /// 0 is Monday.
  public var weekday: Int
  /// Since local midnight.
  public var clock: TimeSpan

  /// What calendar and clock of a place show at an instant.
  public init(_ instant: Instant, _ timeZone: TimeZoneRules) { (weekday, clock) = timeZone.local(instant) }

  /// `14:05:10`.
  public var description: String {
    let seconds = clock.nanoseconds / 1_000_000_000
    return [seconds / 3600, seconds / 60 % 60, seconds % 60].map(Self.twoDigits).joined(separator: ":")
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
