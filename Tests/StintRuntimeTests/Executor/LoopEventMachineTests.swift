import StintUnits
import Testing

@testable import StintRuntime

@Suite struct LoopEventMachineTests {
  private let now = MonotonicInstant(nanoseconds: 1_000)
  private let change = FileChange(path: "policies/hiking.stint", kind: .written)

  @Test func `events are delivered by priority, each once`() {
    var machine = LoopEventMachine()
    #expect(machine.notified() == nil)
    #expect(machine.notified() == nil)
    #expect(machine.filesChanged([change]) == nil)
    #expect(machine.signalled([15, 2, 15]) == nil)
    var told: [LoopEvent] = []
    while let event = machine.take() { told.append(event) }
    #expect(told == [.signal(15), .signal(2), .filesChanged([change]), .ready])
  }

  @Test func `a waiting task gets an event at once, and the event is removed`() {
    typealias Case = (tell: (inout LoopEventMachine) -> LoopEvent?, expected: LoopEvent)
    let cases: [Case] = [
      ({ $0.notified() }, .ready), ({ $0.signalled([2]) }, .signal(2)),
      ({ $0.filesChanged([change]) }, .filesChanged([change])),
      ({ $0.expire(now + .seconds(1)) }, .deadline),
    ]
    for (tell, expected) in cases {
      var machine = LoopEventMachine()
      let asked = machine.next(until: now + .seconds(1), at: now)
      #expect(asked == nil)
      let told = tell(&machine)
      #expect(told == expected)
      #expect(!machine.isWaiting)
      #expect(!machine.hasEvent)
    }
  }

  @Test func `an event that ends a wait also ends the deadline of that wait`() {
    var machine = LoopEventMachine()
    _ = machine.next(until: now + .seconds(1), at: now)
    _ = machine.notified()
    #expect(machine.due == nil)
    #expect(machine.expire(now + .seconds(2)) == nil)
    #expect(!machine.hasEvent)
  }

  @Test func `a deadline that has already passed is delivered at once`() {
    var machine = LoopEventMachine()
    #expect(machine.next(until: now, at: now) == .deadline)
    #expect(!machine.isWaiting)
  }

  @Test func `every wait of a cancelled task returns the cancellation`() {
    var machine = LoopEventMachine()
    #expect(machine.cancelled() == nil)
    _ = machine.notified()
    for _ in 0..<3 { #expect(machine.next(until: nil, at: now) == .cancelled) }
  }

  @Test func `several changes of a file are merged into the last change`() {
    var machine = LoopEventMachine()
    _ = machine.filesChanged([change, FileChange(path: "a", kind: .removed)])
    _ = machine.filesChanged([FileChange(path: change.path, kind: .removed)])
    #expect(
      machine.take()
        == .filesChanged([
          FileChange(path: "a", kind: .removed), FileChange(path: change.path, kind: .removed),
        ]))
  }
}
