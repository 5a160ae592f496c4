import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

@testable import StintPluginHost

/// Collects the events of a port. A test can wait for an event for at most half a minute.
final class EventWait: Sendable {
  private struct State {
    var port: DevicePort?
    var events: [PortEvent] = []
  }

  private let state = Locked(State())
  private let signal = TestSignal()
  private let loop: LoopExecutor
  private let clock = RunClock(start: SystemClock.wall(), anchor: SystemClock.monotonic())

  init(on loop: LoopExecutor) { self.loop = loop }

  var now: Instant { clock.instant(at: SystemClock.monotonic()) }

  func follow(_ port: DevicePort) { state.withLock { $0.port = port } }

  func ring() { signal.notify() }

  /// All events since the plugin was opened.
  var events: [PortEvent] {
    state.withLock { state in
      _ = state.port?.drainEvents(into: &state.events)
      return state.events
    }
  }

  /// Waits for an event that satisfies the closure. Returns false when no such event arrives.
  func until(_ isWanted: (PortEvent) -> Bool) async -> Bool {
    let deadline = now + .seconds(30)
    while !events.contains(where: isWanted) {
      guard now < deadline else { return false }
      let latch = signal.nextEvent()
      if events.contains(where: isWanted) { break }
      let cancel = loop.call(after: .milliseconds(200)) { latch.open() }
      await latch.wait()
      cancel()
    }
    return true
  }
}
