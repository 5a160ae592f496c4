import StintUnits
import Testing

@testable import StintRuntime

@Suite struct RunClockTests {
  private let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
  private let anchor = MonotonicInstant(nanoseconds: 5_000)

  @Test(arguments: [1, 7, 600] as [Int64])
  func `the reading for an instant is the first clock value that reaches the instant`(speed: Int64) {
    let clock = RunClock(start: start, anchor: anchor, speed: speed)
    for offset in [0, 1, 599, 600, 601, 3_600_000_000_000] as [Int64] {
      let moment = start + TimeSpan(nanoseconds: offset)
      let reading = clock.reading(for: moment)
      #expect(clock.instant(at: reading) >= moment)
      #expect(clock.instant(at: MonotonicInstant(nanoseconds: reading.nanoseconds - 1)) < moment)
    }
  }

  @Test func `the reading for the distant future is the maximum clock value`() {
    let clock = RunClock(start: start, anchor: anchor, speed: 600)
    #expect(clock.reading(for: .distantFuture) == MonotonicInstant(nanoseconds: .max))
  }

  @Test func `the monotonic clock does not go back`() {
    let readings = (0..<1000).map { _ in SystemClock.monotonic() }
    #expect(readings == readings.sorted())
    #expect(SystemClock.wall() > Instant(nanoseconds: 1_600_000_000_000_000_000))
  }
}
