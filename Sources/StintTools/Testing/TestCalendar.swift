import StintFormats
import StintRuntime
public import StintUnits

/// When tests begin, and what the clock shows then: midnight of Monday, 5 January 2026 in UTC unless said
/// otherwise.
public struct TestCalendar: Hashable, Sendable {
  let timeZone: TimeZoneRules
  let start: Instant

  /// A Monday, in a zone whose days have 24 hours.
  public static let standard = TestCalendar(
    timeZone: .utc, day: CivilCalendar.days(year: 2026, month: 1, day: 5))

  /// The midnight with which a day begins in a time zone, or what the clock shows first that day.
  ///
  /// - Throws: when nothing is called so; dates look like 2026-03-29.
  public init(timeZone name: String?, date: String?) throws(Problem) {
    let timeZone = try name.map { name throws(Problem) in try TimeZoneRules(option: name) } ?? .utc
    guard let date else {
      self.init(timeZone: timeZone, day: CivilCalendar.days(year: 2026, month: 1, day: 5))
      return
    }
    guard let day = Self.day(date) else {
      throw Problem(
        .unknownName, place: "--date \(date)", cause: "the calendar has no such day",
        remedy: "write a day of the years 1970 to 2199, as in 2026-03-29")
    }
    self.init(timeZone: timeZone, day: day)
  }

  private init(timeZone: TimeZoneRules, day: Int) {
    let midnight = Instant.epoch + .hours(24 * Int64(day))
    // About noon of that day, which is never the day before or after.
    let noon = midnight - timeZone.offset(at: midnight) + .hours(12)
    self.timeZone = timeZone
    start = LocalPeriods(length: .hours(24), origin: .zero).containing(noon, in: timeZone).start
  }

  /// The day of `2026-03-29`, since 1970-01-01.
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
  /// The rules that the option --time-zone names.
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
