import StintUnits
import Testing

@testable import StintRuntime

/// Tests all sequences of up to six waits, events, time steps and clock checks.
@Suite struct LoopEventOrderTests {
  private enum Step: CaseIterable {
    /// The task waits until the present time, until one tick later, or without a deadline.
    case waitNow, waitSoon, waitForever
    /// Time advances; the loop checks the clock.
    case tick, checkClock
    case notify, signal, cancel
  }

  /// The state machine and its expected results.
  private struct ModelledMachine {
    var machine = LoopEventMachine()
    var now: Int64 = 0
    /// The current wait, if any, and its deadline.
    var wait: (isOpen: Bool, deadline: Int64?) = (false, nil)
    var undelivered: Set<LoopEvent> = []

    /// Performs a step. Returns nil when the step is impossible in the current state, an empty string on
    /// success, and the error on failure.
    mutating func take(_ step: Step) -> String? {
      var event: LoopEvent?
      switch step {
      case .waitNow, .waitSoon, .waitForever:
        guard !wait.isOpen else { return nil }
        let deadline: Int64? = step == .waitForever ? nil : now + (step == .waitSoon ? 1 : 0)
        wait = (true, deadline)
        event = machine.next(until: deadline.map { MonotonicInstant(nanoseconds: $0) }, at: instant)
      case .tick: now += 1
      case .checkClock: if let due = machine.due, due <= instant { event = machine.expire(instant) }
      case .notify:
        undelivered.insert(.ready)
        event = machine.notified()
      case .signal:
        undelivered.insert(.signal(15))
        event = machine.signalled([15])
      case .cancel:
        undelivered.insert(.cancelled)
        event = machine.cancelled()
      }
      return problem(with: event, after: step)
    }

    private var instant: MonotonicInstant { MonotonicInstant(nanoseconds: now) }

    private mutating func problem(with event: LoopEvent?, after step: Step) -> String {
      if let event {
        guard wait.isOpen else { return "an event without a wait: \(event)" }
        if event == .deadline {
          guard let deadline = wait.deadline, deadline <= now else { return "a deadline too early" }
          guard undelivered.isEmpty else { return "a deadline before \(undelivered)" }
        } else {
          guard undelivered.contains(event) else { return "an event that did not happen: \(event)" }
          if event != .cancelled { undelivered.remove(event) }
        }
        wait.isOpen = false
      }
      guard machine.isWaiting == wait.isOpen else { return "machine and task differ in waiting" }
      guard wait.isOpen else { return "" }
      if !undelivered.isEmpty { return "waits although \(undelivered) happened" }
      let due = machine.due?.nanoseconds
      guard due == wait.deadline else { return "the loop sleeps until \(due ?? -1)" }
      return step == .checkClock && due.map { $0 <= now } == true ? "waits after its deadline" : ""
    }
  }

  @Test func `in every order of events, no deadline and no event is lost`() {
    var count = 0
    let problem = search(ModelledMachine(), [], depth: 6, &count)
    #expect(problem == nil)
    #expect(count > 50_000)
  }

  private func search(_ story: ModelledMachine, _ path: [Step], depth: Int, _ count: inout Int) -> String? {
    guard depth > 0 else { return nil }
    for step in Step.allCases {
      var next = story
      guard let problem = next.take(step) else { continue }
      count += 1
      if !problem.isEmpty { return "\(path + [step]): \(problem)" }
      if let found = search(next, path + [step], depth: depth - 1, &count) { return found }
    }
    return nil
  }
}
