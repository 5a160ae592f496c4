import StintGovernor
import StintModel
import StintUnits
import Testing

@testable import StintRuntime

/// The detection of changes of the host's wall clock.
@Suite("Following the wall clock")
struct WallClockFollowingTests {
  /// The clocks of a host, which are set by the test.
  private final class Clocks: Sendable {
    let state = Locked(
      (wall: Instant(nanoseconds: 1_000_000_000_000), steady: MonotonicInstant(nanoseconds: 50)))

    func pass(_ span: TimeSpan) { state.withLock { $0 = ($0.wall + span, $0.steady + span) } }
    func set(_ span: TimeSpan) { state.withLock { $0.wall = $0.wall + span } }
    var reading: @Sendable () -> (wall: Instant, steady: MonotonicInstant) {
      { [self] in state.withLock { $0 } }
    }
  }

  private let clocks = Clocks()

  private func clock(from start: Instant? = nil) -> WallClock {
    let read = clocks.reading()
    return WallClock(
      .utc, clock: RunClock(start: start ?? read.wall, anchor: read.steady), reading: clocks.reading)
  }

  @Test("the passing of time and reading errors below 100 ms are not reported as changes")
  func quiet() {
    let clock = clock()
    #expect(clock.change(at: .epoch) == nil)
    clocks.pass(.hours(400))
    #expect(clock.change(at: .epoch) == nil)
    clocks.set(.milliseconds(99))
    #expect(clock.change(at: .epoch) == nil)
    // The sum of small steps counts: 99 ms and 2 ms exceed the limit of 100 ms.
    clocks.set(.milliseconds(2))
    #expect(clock.change(at: .epoch)?.rules.ahead == .milliseconds(101))
  }

  @Test(
    "a step of the wall clock is reported once, with its size and direction",
    arguments: [-90, -1, 1, 90] as [Int64])
  func step(minutes: Int64) throws {
    let clock = clock()
    clocks.pass(.minutes(5))
    clocks.set(.minutes(minutes))
    let change = try #require(clock.change(at: .epoch))
    #expect(change.step == .minutes(minutes) && change.rules.ahead == .minutes(minutes))
    #expect(change.sentence?.contains(minutes > 0 ? "set forward by" : "set back by") == true)
    #expect(clock.change(at: .epoch) == nil && clock.lastChange == change)
    clocks.set(TimeSpan.zero - .minutes(minutes) + .milliseconds(500))
    #expect(clock.change(at: .epoch)?.rules.ahead == .milliseconds(500))
  }

  @Test("a resumed run that is ahead of the wall clock reports the difference at once")
  func resumed() throws {
    let clock = clock()
    let later = clocks.reading().wall + .hours(50_000)
    clock.resume(at: later, ahead: .zero)
    let change = try #require(clock.change(at: later))
    // The anchor is a real reading of the monotonic clock, so the test knows only the sign of the difference.
    #expect(change.rules.ahead < TimeSpan.zero)
    #expect(change.sentence != nil)
  }

  @Test("a new time zone is a change without a step and keeps the offset of the wall clock")
  func zone() throws {
    let clock = clock()
    clocks.set(.hours(3))
    _ = clock.change(at: .epoch)
    clock.move(to: .fixed(.hours(2)))
    let change = try #require(clock.change(at: .epoch))
    #expect(change.isOtherZone && change.step == .zero && change.rules.ahead == .hours(3))
    #expect(change.sentence == "the rules of the time zone changed: local time changes, time spans do not")
    #expect(clock.change(at: .epoch) == nil)
  }

  @Test("a run that does not read the system's wall clock follows only simulated shifts")
  func own() {
    let clock = WallClock(
      .utc, clock: RunClock(start: .epoch, anchor: MonotonicInstant(nanoseconds: 0), speed: 600),
      reading: nil)
    #expect(clock.change(at: .epoch) == nil)
    clock.shift(by: .hours(1))
    #expect(clock.change(at: .epoch)?.step == .hours(1))
    clock.shift(by: TimeSpan(nanoseconds: .min))
    #expect(clock.change(at: .epoch)?.rules.ahead == TimeSpan.zero - TimeZoneRules.farthest)
  }

  @Test("the pause of a restart within one boot is measured by the monotonic clock alone")
  func pauseWithinBoot() {
    let kept = PersistedClock(ahead: .hours(1), boot: "b", steady: MonotonicInstant(nanoseconds: 1_000))
    let now = MonotonicInstant(nanoseconds: 5_000)
    for wall in [Instant.epoch, Instant(nanoseconds: .max)] {
      #expect(kept.pause(since: .epoch, boot: "b", wall: wall, steady: now) == TimeSpan(nanoseconds: 4_000))
    }
  }

  @Test("after a reboot, the pause is measured by the wall clock, or is unknown if this clock went back")
  func pauseOverBoot() {
    let kept = PersistedClock(ahead: .hours(1), boot: "b", steady: MonotonicInstant(nanoseconds: 9_000))
    let then = Instant.epoch + .hours(10)
    let now = MonotonicInstant(nanoseconds: 10)
    #expect(kept.pause(since: then, boot: "c", wall: .epoch + .hours(13), steady: now) == .hours(2))
    #expect(kept.pause(since: then, boot: "c", wall: .epoch + .hours(10), steady: now) == nil)
    #expect(
      PersistedClock.unknown.pause(since: then, boot: "", wall: .epoch + .hours(11), steady: now) == .hours(1)
    )
  }

  @Test("time zone rules with an offset of the wall clock are journalled as inputs and read back")
  func coding() throws {
    let berlin = try TimeZoneRules("CET-1CEST,M3.5.0,M10.5.0/3")
    for rules in [TimeZoneRules.utc, berlin, berlin.withWallClock(ahead: TimeSpan.zero - .hours(90_000))] {
      var writer = ByteWriter()
      Input.localTime(rules).write(to: &writer)
      Input.release(DemandID(3)).write(to: &writer)
      var reader = ByteReader(writer.bytes)
      #expect(try Input(from: &reader) == .localTime(rules))
      #expect(try Input(from: &reader) == .release(DemandID(3)))
      for length in 0..<(writer.bytes.count - 9) {
        var cut = ByteReader(Array(writer.bytes[..<length]))
        #expect(throws: CodingFault.self) { try Input(from: &cut) }
      }
    }
  }
}
