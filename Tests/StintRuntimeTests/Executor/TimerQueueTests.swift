import StintModel
import StintUnits
import Testing

@testable import StintRuntime

@Suite struct TimerQueueTests {
  @Test func `timers fire by deadline; timers with equal deadlines fire in order of insertion`() {
    let fired = Locked<[String]>([])
    var queue = TimerQueue()
    for (deadline, name) in [(30, "c"), (10, "a1"), (20, "b"), (10, "a2"), (40, "late")] {
      _ = queue.add(MonotonicInstant(nanoseconds: Int64(deadline))) { fired.withLock { $0.append(name) } }
    }
    #expect(queue.earliest == MonotonicInstant(nanoseconds: 10))
    for action in queue.removeExpired(at: MonotonicInstant(nanoseconds: 30)) { action() }
    #expect(fired.withLock { $0 } == ["a1", "a2", "b", "c"])
    #expect(queue.earliest == MonotonicInstant(nanoseconds: 40))
  }

  @Test func `a removed timer never fires, and removing it twice is harmless`() {
    var queue = TimerQueue()
    let timer = queue.add(MonotonicInstant(nanoseconds: 1)) { Issue.record("a removed timer fired") }
    queue.remove(timer)
    queue.remove(timer)
    #expect(queue.removeExpired(at: MonotonicInstant(nanoseconds: 9)).isEmpty)
    #expect(queue.earliest == nil)
  }
}
