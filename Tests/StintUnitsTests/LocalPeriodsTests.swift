import StintTestSupport
import StintUnits
import Testing

@Suite struct LocalPeriodsTests {
  static let day = TimeSpan.hours(24)

  /// Returns the minutes of the year at which a period begins, found by a check of every minute.
  private func begins(_ periods: LocalPeriods, _ local: [Int64], in span: Range<Int>) -> [Int] {
    let length = periods.length.nanoseconds / 60_000_000_000
    let origin = periods.origin.nanoseconds / 60_000_000_000
    var shown: [Int64: Int] = [:]
    var begins: [Int] = []
    for minute in span {
      // Checks the local minutes that the clock skips before this minute, and then this minute.
      let before = minute == 0 ? local[0] - 1 : local[minute - 1]
      var reached = min(before + 1, local[minute])
      while reached < local[minute], (reached - origin) % length != 0 { reached += 1 }
      guard (reached - origin) % length == 0 else { continue }
      let isFirst = shown[local[minute]].map { Int64(minute - $0) >= length } ?? true
      if isFirst { begins.append(minute) }
      shown[local[minute]] = minute
    }
    return begins
  }

  private func around(_ instant: Instant, days: Int) -> Range<Int> {
    let minute = Int((instant - TimeZoneYear.start).nanoseconds / 60_000_000_000)
    return (minute - days * 1440)..<(minute + days * 1440)
  }

  private func check(_ periods: LocalPeriods, _ rules: TimeZoneRules, _ begins: [Int]) {
    for (begin, end) in zip(begins, begins.dropFirst()) {
      let (start, next) = (
        TimeZoneYear.start + .minutes(Int64(begin)), TimeZoneYear.start + .minutes(Int64(end))
      )
      let middle = start + .minutes(Int64(end - begin) / 2)
      for instant in [start, middle, next - TimeSpan(nanoseconds: 1)] {
        let found = periods.containing(instant, in: rules)
        #expect(found.start == start && found.end == next, "\(periods), \(rules), minute \(begin)")
      }
    }
  }

  private static let years = Tier.current == .unit ? [TimeZoneYear.berlin, .lordHowe] : TimeZoneYear.all

  @Test("the periods of a year match a search through all its minutes", arguments: years)
  func wholeYear(year: TimeZoneYear) throws {
    let rules = try TimeZoneRules(year.rule)
    let local = year.localMinutes
    var random = SeededGenerator(seed: 7)
    for minutes in [0, 90, 150, Int64.random(in: 0..<1440, using: &random)] {
      // Checks days, and weeks that begin on Sunday, because clocks change on Sundays. The epoch was a
      // Thursday.
      for days: Int64 in minutes == 90 ? [1, 7] : [1] {
        let periods = LocalPeriods(length: .hours(24 * days), origin: .minutes(3 * 1440 + minutes))
        // One case covers the whole year. The other cases cover the weeks around clock changes.
        let spans = minutes == 150 ? [local.indices] : year.changes.map { around($0.instant, days: 15) }
        for span in spans { check(periods, rules, begins(periods, local, in: span)) }
      }
    }
    for minutes: Int64 in [0, 30, 45] {
      let periods = LocalPeriods(length: .hours(1), origin: .minutes(minutes))
      for change in year.changes {
        check(periods, rules, begins(periods, local, in: around(change.instant, days: 1)))
      }
    }
  }

  @Test("local days have 23 to 25 hours when the clock changes")
  func lengths() throws {
    let berlin = try TimeZoneRules(TimeZoneYear.berlin.rule)
    func hours(_ minutes: Int64, _ instant: Instant) -> Int64 {
      let found = LocalPeriods(length: Self.day, origin: .minutes(minutes)).containing(instant, in: berlin)
      return (found.end - found.start).nanoseconds / TimeSpan.minutes(1).nanoseconds
    }
    let (spring, autumn) = (TimeZoneYear.berlin.changes[0].instant, TimeZoneYear.berlin.changes[1].instant)
    #expect(hours(0, spring) == 23 * 60)
    #expect(hours(0, autumn) == 25 * 60)
    // 02:30 does not exist in spring: the day begins at 03:00, when the clock skips 02:30.
    #expect(hours(150, spring - .hours(1)) == 23 * 60 + 30)
    #expect(hours(150, spring) == 23 * 60 + 30)
    // 02:30 occurs twice in autumn: the day begins only at the first occurrence.
    #expect(hours(150, autumn - .minutes(31)) == 24 * 60)
    #expect(hours(150, autumn - .minutes(30)) == 25 * 60)
    #expect(hours(150, autumn + .minutes(30)) == 25 * 60)
  }

  @Test("a repeated hour is a second period; a repeated half hour makes its period half an hour longer")
  func hours() throws {
    let hourly = LocalPeriods(length: .hours(1), origin: .zero)
    let berlin = TimeZoneYear.berlin.changes[1].instant
    let rules = try TimeZoneRules(TimeZoneYear.berlin.rule)
    #expect(hourly.containing(berlin - .minutes(1), in: rules) == (berlin - .hours(1), berlin))
    #expect(hourly.containing(berlin, in: rules) == (berlin, berlin + .hours(1)))
    let island = TimeZoneYear.lordHowe.changes[0].instant
    let found = hourly.containing(island, in: try TimeZoneRules(TimeZoneYear.lordHowe.rule))
    #expect(found == (island - .hours(1), island + .minutes(30)))
  }
}
