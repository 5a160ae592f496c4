import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

/// Counts the samples and answers that a plugin's port delivers, on the loop's thread.
final class BoundaryListener: Sendable {
  private struct State {
    var port: DevicePort?
    var events: [PortEvent] = []
    var samples = 0
    var answers = 0
    var hasFailed = false
    var first: MonotonicInstant?
    var wanted: (samples: Int, answers: Int) = (0, 0)
    var waiter: CheckedContinuation<Bool, Never>?
  }

  private let state = Locked(State())
  private let clock: RunClock

  init(_ clock: RunClock) { self.clock = clock }

  var now: Instant { clock.instant(at: SystemClock.monotonic()) }

  func listen(to port: DevicePort) { state.withLock { $0.port = port } }

  /// Reads the port's events. Resumes the waiting task when enough samples and answers have arrived, or after
  /// a fault. `PluginSet` calls this function when the port has events.
  func wake() {
    let (waiter, isComplete) = state.withLock { state -> (CheckedContinuation<Bool, Never>?, Bool) in
      _ = state.port?.drainEvents(into: &state.events)
      for event in state.events {
        switch event {
        case .batch(let batch, _):
          if state.first == nil { state.first = SystemClock.monotonic() }
          state.samples += batch.samples.count
        case .outcome(.state, _): state.answers += 1
        case .outcome(.fault, _): state.hasFailed = true
        default: break
        }
      }
      state.events.removeAll(keepingCapacity: true)
      let isComplete = state.samples >= state.wanted.samples && state.answers >= state.wanted.answers
      guard isComplete || state.hasFailed else { return (nil, false) }
      return (state.waiter.take(), isComplete && !state.hasFailed)
    }
    waiter?.resume(returning: isComplete)
  }

  /// Waits until `samples` samples have arrived. Returns the nanoseconds since the first batch arrived; nil
  /// when the plugin fails.
  func span(of samples: Int) async -> Double? {
    guard await wait(samples: samples, answers: 0), let first = state.withLock({ $0.first }) else {
      return nil
    }
    return Double((SystemClock.monotonic() - first).nanoseconds)
  }

  /// Waits for `count` answers. Returns false when the plugin fails.
  func waitForAnswers(_ count: Int) async -> Bool { await wait(samples: 0, answers: count) }

  private func wait(samples: Int, answers: Int) async -> Bool {
    await withCheckedContinuation { waiter in
      let hasSucceeded = state.withLock { state -> Bool? in
        if state.hasFailed { return false }
        if state.samples >= samples, state.answers >= answers { return true }
        state.wanted = (samples, answers)
        state.waiter = waiter
        return nil
      }
      if let hasSucceeded { waiter.resume(returning: hasSucceeded) }
    }
  }
}
