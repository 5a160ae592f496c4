import StintFormats
import StintRuntime
public import StintUnits

/// The start time and the time zone of tests. The default is midnight of Monday, 5 January 2026 in UTC.
public struct TestCalendar: Hashable, Sendable {
  let timeZone: TimeZoneRules
  let start: Instant

  /// Monday, 5 January 2026 in UTC, where each day has 24 hours.
  public static let standard = TestCalendar(
    timeZone: .utc, day: CivilCalendar.days(year: 2026, month: 1, day: 5))

  /// Creates a calendar that starts at the beginning of a day in a time zone. Where a clock change skips
  /// midnight, the day begins with the first existing local time.
  ///
  /// - Parameters:
  ///   - name: the time zone; nil for UTC.
  ///   - date: the day, as in `2026-03-29`; nil for 5 January 2026.
  /// - Throws: `Problem` when the time zone or the day is invalid.
  public init(timeZone name: String?, date: String?) throws(Problem) {
    let timeZone = try name.map { name throws(Problem) in try TimeZoneRules(option: name) } ?? .utc
    guard let date else {
      self.init(timeZone: timeZone, day: CivilCalendar.days(year: 2026, month: 1, day: 5))
      return
    }
    guard let day = Self.day(date) else {
      throw Problem(
        .unknownName, place: "--date \(date)", cause: "expected a date",
        remedy: "write a day of the years 1970 to 2199, as in 2026-03-29")
    }
    self.init(timeZone: timeZone, day: day)
  }

  private init(timeZone: TimeZoneRules, day: Int) {
    let midnight = Instant.epoch + .hours(24 * Int64(day))
    // An instant near noon in local time: a change of the offset cannot move noon to another date.
    let noon = midnight - timeZone.offset(at: midnight) + .hours(12)
    self.timeZone = timeZone
    start = LocalPeriods(length: .hours(24), origin: .zero).containing(noon, in: timeZone).start
  }

  /// Returns the number of days from 1970-01-01 to a date such as `2026-03-29`; nil for an invalid date.
  private static func day(_ text: String) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3, (1970...2199).contains(numbers[0]),
      (1...12).contains(numbers[1]), numbers[2] >= 1
    else { return nil }
    let day = CivilCalendar.days(year: numbers[0], month: numbers[1], day: numbers[2])
    let isDecember = numbers[1] == 12
    let next = CivilCalendar.days(
      year: numbers[0] + (isDecember ? 1 : 0), month: isDecember ? 1 : numbers[1] + 1, day: 1)
    return day < next ? day : nil
  }
}

extension TimeZoneRules {
  /// Creates the rules for the value of the option `--time-zone`.
  init(option name: String) throws(Problem) {
    do throws(Problem) {
      self = try TimeZoneChoice.rules(name)
    } catch {
      var problem = error
      if problem.place.name == name { problem.place.name = "--time-zone \(name)" }
      throw problem
    }
  }
}
