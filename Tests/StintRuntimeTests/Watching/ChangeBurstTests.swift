import StintUnits
import Testing

@testable import StintRuntime

@Suite struct ChangeBurstTests {
  private func at(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
  }
  private let written = FileChange(path: "a", kind: .written)
  private let removed = FileChange(path: "a", kind: .removed)

  @Test func `a burst ends after a time without changes`() {
    var burst = ChangeBurst()
    let due = burst.add([written], at: at(0))
    #expect(due == at(30))
    let again = burst.add([removed], at: at(20))
    #expect(again == nil)
    let early = burst.end(at: at(30))
    #expect(early == .waitMore(at(50)))
    let over = burst.end(at: at(50))
    #expect(over == .over([removed]))
    let next = burst.add([written], at: at(60))
    #expect(next == at(90), "the next change begins a new burst")
  }

  @Test func `a burst that does not end is reported after its maximum duration`() {
    var burst = ChangeBurst()
    for time in stride(from: Int64(0), through: 320, by: 10) { _ = burst.add([written], at: at(time)) }
    let early = burst.end(at: at(299))
    #expect(early == .waitMore(at(300)))
    let over = burst.end(at: at(300))
    #expect(over == .over([written]))
  }
}
