import Testing

@testable import StintUnits

@Suite("Pauses that double")
struct DoublingPauseTests {
  @Test("a pause doubles up to the longest pause, for every number of doublings")
  func doubles() {
    let pause = DoublingPause(.minutes(5), upTo: .hours(1))
    #expect([-1, 0, 1, 2, 3, 4].map { pause.doubled($0) } == [5, 5, 10, 20, 40, 60].map { .minutes($0) })
    #expect(pause.doubled(Int.max) == .hours(1) && pause.doubled(Int.min) == .minutes(5))
    #expect(DoublingPause(.seconds(1), upTo: .unlimited).doubled(30) == .seconds(1 << 30))
  }

  @Test("when the longest pause is below the shortest pause, every pause has the shortest length")
  func order() {
    let pause = DoublingPause(.hours(1), upTo: .minutes(5))
    #expect(pause.doubled(0) == .hours(1) && pause.doubled(7) == .hours(1))
  }
}
