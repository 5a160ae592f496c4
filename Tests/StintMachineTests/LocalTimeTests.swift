import StintTestSupport
import StintUnits
import Testing

@testable import StintMachine

@Suite("Windows of local time on days that lose or gain an hour")
struct LocalTimeTests {
  /// Returns for each minute of a year whether a window is open.
  ///
  /// The window of a day is open at a minute when two conditions hold. (1) At this minute or earlier, the
  /// clock showed the beginning of the window or a later time. (2) At this minute or later, the clock shows a
  /// time before the end of the window.
  ///
  /// - Parameter local: the local time at each minute of the year, in minutes.
  private static func answers(_ window: ImageSchedule.Window, _ local: [Int64]) -> [Bool] {
    var (latest, earliest) = (local, local)
    for minute in local.indices.dropFirst() { latest[minute] = max(latest[minute - 1], local[minute]) }
    for minute in local.indices.dropLast().reversed() {
      earliest[minute] = min(earliest[minute + 1], local[minute])
    }
    let (from, to) = (window.from.nanoseconds / 60_000_000_000, window.to.nanoseconds / 60_000_000_000)
    return local.indices.map { minute in
      ((local[minute] / 1440 - 2)...(local[minute] / 1440 + 1)).contains { day in
        // Day 0, 1 January 1970, was a Thursday.
        window.days[Int((day + 3) % 7)] && day * 1440 + from <= latest[minute]
          && earliest[minute] < (to > from ? day : day + 1) * 1440 + to
      }
    }
  }

  private static func schedules(_ seed: UInt64) -> [ImageSchedule] {
    var random = SeededGenerator(seed: seed)
    let sundays = (0..<7).map { $0 == 6 }
    func window(_ days: [Bool], _ from: Int64, _ to: Int64) -> ImageSchedule.Window {
      ImageSchedule.Window(days: days, from: .minutes(from), to: .minutes(to))
    }
    var randomWindows: [ImageSchedule.Window] = []
    for _ in 0..<3 {
      let days = (0..<7).map { _ in !random.once(in: 3) }
      randomWindows.append(
        window(days, Int64.random(in: 0..<1440, using: &random), Int64.random(in: 0...1440, using: &random)))
    }
    // The windows lie inside the skipped hour, have an edge inside it or at its end, cross midnight, or are
    // random.
    return [
      ImageSchedule(windows: [window(sundays, 125, 145)]),
      ImageSchedule(windows: [window(sundays, 30, 150), window(sundays, 180, 200)]),
      ImageSchedule(windows: [window(sundays, 1410, 120), randomWindows[0]]),
      ImageSchedule(windows: Array(randomWindows[1...])),
    ]
  }

  /// Without optimization, one schedule of one year takes seconds. So the unit tier tests only Berlin's year,
  /// with the schedule whose window lies in the skipped hour.
  private static let years = Tier.current == .unit ? [TimeZoneYear.berlin] : TimeZoneYear.all

  @Test(
    "`nextChange` gives exactly the changes that a search of each minute of a year finds", arguments: years)
  func everyMinute(year: TimeZoneYear) throws {
    let timeZone = try TimeZoneRules(year.rule)
    let local = year.localMinutes
    let schedules = Self.schedules(UInt64(bitPattern: local[0]))
    for schedule in schedules.prefix(Tier.current == .unit ? 1 : schedules.count) {
      let windows = schedule.windows.map { Self.answers($0, local) }
      let answers = local.indices.map { minute in windows.contains { $0[minute] } }
      var next = schedule.nextChange(after: TimeZoneYear.start, in: timeZone)
      for minute in answers.indices.dropFirst() where answers[minute] != answers[minute - 1] {
        let instant = TimeZoneYear.start + .minutes(Int64(minute))
        try #require(next == instant, "\(schedule), minute \(minute)")
        #expect(schedule.contains(instant, in: timeZone) == answers[minute])
        #expect(schedule.nextChange(after: instant - TimeSpan(nanoseconds: 1), in: timeZone) == instant)
        next = schedule.nextChange(after: instant, in: timeZone)
      }
      #expect(next >= TimeZoneYear.start + .minutes(Int64(TimeZoneYear.minutes)))
    }
  }

  @Test(
    "window edges in the skipped hour take effect at the clock change; edges in the repeated hour occur once"
  )
  func edges() throws {
    let timeZone = try TimeZoneRules(TimeZoneYear.berlin.rule)
    let (spring, autumn) = (TimeZoneYear.berlin.changes[0].instant, TimeZoneYear.berlin.changes[1].instant)
    func changes(_ from: Int64, _ to: Int64, around instant: Instant) -> [Int64] {
      let schedule = ImageSchedule(windows: [
        .init(days: Array(repeating: true, count: 7), from: .minutes(from), to: .minutes(to))
      ])
      var changes: [Int64] = []
      var next = schedule.nextChange(after: instant - .hours(3), in: timeZone)
      while next < instant + .hours(5) {
        changes.append((next - instant).nanoseconds / 60_000_000_000)
        next = schedule.nextChange(after: next, in: timeZone)
      }
      return changes
    }
    // In spring, 02:30..04:00 and 01:00..02:30 change at the skipped hour, and 02:15..02:45 never opens.
    #expect(changes(150, 240, around: spring) == [0, 60])
    #expect(changes(60, 150, around: spring) == [-60, 0])
    #expect(changes(135, 165, around: spring) == [])
    // In autumn, a window opens at the first occurrence of its beginning, and closes at the last occurrence
    // of its end.
    #expect(changes(150, 240, around: autumn) == [-30, 120])
    #expect(changes(60, 150, around: autumn) == [-120, 30])
    #expect(changes(135, 165, around: autumn) == [-45, 45])
    #expect(changes(120, 240, around: autumn) == [-60, 120])
    // A window whose edges lie outside the changed hour is one hour longer or shorter.
    #expect(changes(60, 240, around: autumn) == [-120, 120])
    #expect(changes(60, 240, around: spring) == [-60, 60])
  }

  @Test("a schedule that is always or never open has no next change", arguments: [0, 7])
  func neverChanges(days: Int) throws {
    let schedule = ImageSchedule(windows: [
      .init(days: Array(repeating: days == 7, count: 7), from: .zero, to: .zero)
    ])
    for year in TimeZoneYear.all {
      let timeZone = try TimeZoneRules(year.rule)
      #expect(schedule.nextChange(after: TimeZoneYear.start, in: timeZone) == .distantFuture)
      #expect(schedule.nextChange(after: .distantFuture, in: timeZone) == .distantFuture)
    }
    #expect(ImageSchedule(windows: []).nextChange(after: .epoch, in: .utc) == .distantFuture)
  }
}
