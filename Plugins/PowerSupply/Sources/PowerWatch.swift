import StintModel
import StintPluginKit
import StintUnits

/// Reads the files on each request. After the first request, also reads them when the kernel reports a
/// change, if `hearsKernel` is true and the socket opens.
///
/// Before the first request there is no socket, no thread and no alarm.
final class PowerWatch: PowerWatching {
  private struct State {
    var facts: PowerFacts
    var watch: ReadinessWatch?
    var socket: Int32?
    /// The turn number that `ReadinessWatch.follow` returned for the socket; nil without a socket.
    var turn: Int?
    var lastRead: Instant?
    /// The instant of the read that follows a message from the kernel; nil when no message waits for a read.
    var due: Instant?
    var buffer = [UInt8](repeating: 0, count: 8192)
    var latest = Instant(nanoseconds: .min)
  }

  /// The shortest time between the last read and a read that is caused by a message of the kernel. Reads for
  /// requests are not limited.
  static let shortestPause = TimeSpan.seconds(1)

  private let settings: PowerSupplySettings
  private let port: DevicePort
  private let clock: LinkedPlugin.Clock
  private let hearsKernel: Bool
  private let worker: DeviceWorker
  private let state: Locked<State>

  init(
    _ settings: PowerSupplySettings, port: DevicePort, hearsKernel: Bool, clock: @escaping LinkedPlugin.Clock
  ) throws(Problem) {
    guard let worker = DeviceWorker(port: port, clock: clock, timeout: settings.timeout) else {
      throw Problem(
        .broken, device: PowerSupplyPlugin.device, cause: "the system has no pipe left",
        remedy: "raise the limit of open files (ulimit -n)")
    }
    self.worker = worker
    self.settings = settings
    self.port = port
    self.clock = clock
    self.hearsKernel = hearsKernel
    state = Locked(State(facts: PowerFacts(port)))
    let watch = ReadinessWatch { [weak self] turn, _ in self?.receive(turn) }
    state.withLock { $0.watch = watch }
  }

  // MARK: Calls from the host; performed on the worker's thread, because a file may block

  func read(at instant: Instant) {
    change(.read, at: instant) { watch, state in
      watch.startListening(&state)
      watch.read(&state, all: true, at: watch.moved(&state, to: instant))
    }
  }

  func wake(at instant: Instant) {
    change(.wake, at: instant) { watch, state in
      let now = watch.moved(&state, to: instant)
      guard let due = state.due else { return }
      if now >= due { watch.read(&state, all: false, at: now) } else { watch.setAlarm(&state, due) }
    }
  }

  func close(at instant: Instant) {
    change(.close, at: instant) { watch, state in
      watch.stopListening(&state)
      watch.setAlarm(&state, nil)
    }
  }

  private func change(
    _ kind: DeviceWorker.Kind, at instant: Instant,
    _ body: @escaping @Sendable (PowerWatch, inout State) -> Void
  ) {
    worker.perform(kind, at: instant) { [self] in
      state.withLock { state in body(self, &state) }
      return true
    }
  }

  // MARK: Implementation; under the lock

  private func read(_ state: inout State, all: Bool, at now: Instant) {
    state.facts.publish(PowerReading.read(settings), ThermalReading.read(settings), all: all, at: now)
    state.lastRead = now
    setAlarm(&state, nil)
  }

  private func setAlarm(_ state: inout State, _ instant: Instant?) {
    state.due = instant
    port.setAlarm(at: instant)
  }

  private func startListening(_ state: inout State) {
    guard hearsKernel, state.socket == nil, let socket = UeventSocket.open() else { return }
    guard let turn = state.watch?.follow(socket) else {
      DescriptorCalls.close(socket)
      return
    }
    state.socket = socket
    state.turn = turn
  }

  private func stopListening(_ state: inout State) {
    guard let socket = state.socket else { return }
    _ = state.watch?.follow(nil)
    DescriptorCalls.close(socket)
    state.socket = nil
    state.turn = nil
  }

  private func moved(_ state: inout State, to instant: Instant) -> Instant {
    state.latest = max(state.latest, instant)
    return state.latest
  }

  // MARK: Messages of the kernel

  private func receive(_ turn: Int) {
    state.withLock { state in
      guard state.turn == turn, let socket = state.socket else { return }
      var matters = false
      reading: while true {
        switch DescriptorCalls.read(socket, into: &state.buffer) {
        case .some(0): break reading
        case .some(let count): matters = UeventSocket.matters(state.buffer[..<count]) || matters
        // The system dropped messages. Any of them may have reported a change, and the files contain the
        // current values.
        case .failed(let number) where DescriptorCalls.isOverrun(number): matters = true
        case .ended, .failed:
          stopListening(&state)
          matters = true
          break reading
        }
      }
      guard matters else { return }
      let now = moved(&state, to: clock())
      let soon = max(now, state.lastRead.map { $0 + Self.shortestPause } ?? now)
      setAlarm(&state, min(state.due ?? soon, soon))
    }
  }
}
