import StintModel
import StintPluginKit
import StintUnits

/// The lock and the threads of a sensor. One thread waits for the sensor's buffer. This thread exists only
/// while the buffer is on.
///
/// Settings are applied on a worker's thread. When `apply` returns, the kernel has applied the setting,
/// unless the kernel takes longer than the host waits. A sensor that is off, or whose values are read one by
/// one, has no thread for its buffer.
final class IIOLink: Sendable {
  private struct State {
    var sensor: IIOSensor
    var watch: ReadinessWatch?
    /// The number of the buffer that the watch waits for, and the turn number that
    /// `ReadinessWatch.follow` returned.
    var followed: (stream: Int, turn: Int)?
    var buffer = [UInt8](repeating: 0, count: 65_536)
  }

  private let clock: LinkedPlugin.Clock
  private let worker: DeviceWorker
  private let state: Locked<State>

  init(_ settings: IIOSettings, port: DevicePort, clock: @escaping LinkedPlugin.Clock) throws(Problem) {
    self.clock = clock
    guard let worker = DeviceWorker(port: port, clock: clock, timeout: settings.timeout) else {
      throw Self.noPipe(settings)
    }
    self.worker = worker
    state = Locked(State(sensor: IIOSensor(settings, port: port)))
    let watch = ReadinessWatch { [weak self] turn, isBroken in self?.serve(turn, isBroken) }
    guard let watch else { throw Self.noPipe(settings) }
    state.withLock { $0.watch = watch }
  }

  private static func noPipe(_ settings: IIOSettings) -> Problem {
    Problem(
      .broken, device: settings.kind.device, cause: "the system has no pipe left",
      remedy: "raise the limit of open files (ulimit -n)")
  }

  /// Changes the sensor on the worker's thread.
  func change(
    _ kind: DeviceWorker.Kind, at instant: Instant, _ body: @escaping @Sendable (inout IIOSensor) -> Void
  ) {
    worker.perform(kind, at: instant) { [self] in
      state.withLock { state in
        body(&state.sensor)
        follow(&state)
        return state.sensor.device != nil
      }
    }
  }

  private func serve(_ turn: Int, _ isBroken: Bool) {
    state.withLock { state in
      guard state.followed?.turn == turn else { return }
      state.sensor.serve(isBroken: isBroken, &state.buffer, at: clock())
      follow(&state)
    }
  }

  /// Makes the watch wait for the current buffer.
  private func follow(_ state: inout State) {
    let stream = state.sensor.stream
    guard stream?.number != state.followed?.stream else { return }
    guard let turn = state.watch?.follow(stream?.descriptor) else {
      state.followed = nil
      state.sensor.lose("the system cannot start a thread; free memory or processes", at: clock())
      return
    }
    state.followed = stream.map { ($0.number, turn) }
  }
}
