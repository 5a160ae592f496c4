import StintTestSupport
import StintUnits
import Testing

/// Tests the local time of a wall clock that is ahead of the instants or behind them.
@Suite("A wall clock that was set")
struct WallClockTests {
  private let berlin: TimeZoneRules
  /// 2026-05-16 08:00 UTC.
  private let start = Instant(nanoseconds: 1_778_918_400_000_000_000)

  init() throws { berlin = try TimeZoneRules("CET-1CEST,M3.5.0,M10.5.0/3") }

  @Test(
    "shifted rules give the local time of the wall clock", arguments: [-20_000, -13, 0, 1, 4000, 400_000])
  func shifted(hours: Int64) {
    let ahead = TimeSpan.hours(hours)
    let shifted = berlin.withWallClock(ahead: ahead)
    for step in stride(from: Int64(0), to: 9000, by: Tier.current == .unit ? 49 : 7) {
      let instant = start + .hours(step)
      let wall = instant + ahead
      #expect(shifted.local(instant) == berlin.local(wall))
      #expect(shifted.localDay(instant) == berlin.localDay(wall))
      #expect(shifted.offset(at: instant) == berlin.offset(at: wall) + ahead)
      let next = berlin.nextTransition(after: wall)?.instant
      #expect(
        shifted.nextTransition(after: instant)?.instant == next.map { shifted.instant(atWallClock: $0) })
      let day = LocalPeriods(length: .hours(24), origin: .hours(2))
      let (begin, end) = day.containing(wall, in: berlin)
      #expect(day.containing(instant, in: shifted).start + ahead == begin)
      #expect(day.containing(instant, in: shifted).end + ahead == end)
      let late = TimeSpan.minutes(150)
      #expect(
        shifted.instant(showing: late, notBefore: instant) + ahead
          == berlin.instant(showing: late, notBefore: wall))
    }
  }

  @Test("a fixed time zone is shifted by the clock's offset, and an offset of zero restores the zone")
  func fixed() {
    let rules = TimeZoneRules.fixed(.hours(2)).withWallClock(ahead: .minutes(90))
    #expect(rules.local(start).clock == .minutes(11 * 60 + 30))
    #expect(rules.withWallClock(ahead: .zero) == .fixed(.hours(2)))
  }

  @Test("a wall clock more than 100 years away counts as 100 years away")
  func farthest() {
    for ahead in [TimeSpan(nanoseconds: .max), TimeSpan(nanoseconds: .min)] {
      let rules = berlin.withWallClock(ahead: ahead)
      #expect(abs(rules.ahead.nanoseconds) == TimeZoneRules.farthest.nanoseconds)
      _ = rules.local(start)
      _ = rules.windowClock(at: start)
      _ = LocalPeriods(length: .hours(24), origin: .zero).containing(start, in: rules)
    }
  }
}
