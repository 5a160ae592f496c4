import StintModel
import StintPluginKit
import StintUnits

/// Looks at the files when the kernel says that something changed, and at the pace of the facts that it does not
/// speak of. Without a needed fact there is no socket, no thread and no alarm.
final class PowerWatch: Sendable {
  private struct State {
    var facts: PowerFacts
    var needed: Set<Int> = []
    var watch: ReadinessWatch?
    var socket: Int32?
    var turn: Int?
    var lastLook: Instant?
    /// When the next look is due.
    var due: Instant?
    var buffer = [UInt8](repeating: 0, count: 8192)
    var latest = Instant(nanoseconds: .min)
  }

  /// How soon after a look the next may come, however much the kernel says.
  static let shortestPause = TimeSpan.seconds(1)

  private let settings: PowerSupplySettings
  private let port: DevicePort
  private let clock: LinkedPlugin.Clock
  private let hearsKernel: Bool
  private let state: Locked<State>

  init(
    _ settings: PowerSupplySettings, port: DevicePort, hearsKernel: Bool, clock: @escaping LinkedPlugin.Clock
  ) {
    self.settings = settings
    self.port = port
    self.clock = clock
    self.hearsKernel = hearsKernel
    state = Locked(State(facts: PowerFacts(port)))
    let watch = ReadinessWatch { [weak self] turn, _ in self?.hear(turn) }
    state.withLock { $0.watch = watch }
  }

  // MARK: From the host

  func need(_ facts: Set<Int>, at instant: Instant) {
    state.withLock { state in
      guard facts != state.needed else { return }
      let now = moved(&state, to: instant)
      state.needed = facts
      state.facts.forget(allBut: facts, at: now)
      facts.isEmpty ? stopListening(&state) : startListening(&state)
      if facts.isEmpty { setAlarm(&state, nil) } else { look(&state, at: now) }
    }
  }

  func wake(at instant: Instant) {
    state.withLock { state in
      let now = moved(&state, to: instant)
      guard let due = state.due else { return }
      if now >= due { look(&state, at: now) } else { setAlarm(&state, due) }
    }
  }

  func close() {
    state.withLock { state in
      state.needed = []
      stopListening(&state)
      setAlarm(&state, nil)
    }
  }

  // MARK: Inside; under the lock

  private func look(_ state: inout State, at now: Instant) {
    let areas = state.facts.areas(of: state.needed)
    state.facts.publish(
      areas.power ? PowerReading.read(settings) : nil, areas.heat ? ThermalReading.read(settings) : nil,
      needed: state.needed, at: now)
    state.lastLook = now
    setAlarm(&state, pace(state).map { now + $0 })
  }

  /// The pace of the fastest fact that the kernel may change without a word.
  private func pace(_ state: State) -> TimeSpan? {
    let announced: Set<String> = ["battery.charging", "power.source"]
    let facts = state.needed.sorted().map { port.manifest.facts[$0] }
    let silent = facts.filter { state.socket == nil || !announced.contains($0.path) }
    return silent.compactMap(\.fastest).min()
  }

  private func setAlarm(_ state: inout State, _ instant: Instant?) {
    state.due = instant
    port.call(at: instant)
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

  // MARK: From the kernel

  private func hear(_ turn: Int) {
    state.withLock { state in
      guard state.turn == turn, let socket = state.socket else { return }
      var matters = false
      reading: while true {
        switch DescriptorCalls.read(socket, into: &state.buffer) {
        case .some(0): break reading
        case .some(let count): matters = UeventSocket.matters(state.buffer[..<count]) || matters
        // Messages were lost: whatever they said, the files say it too.
        case .failed(let number) where SystemNumber(number).isOverrun: matters = true
        case .ended, .failed:
          stopListening(&state)
          matters = true
          break reading
        }
      }
      guard matters else { return }
      let now = moved(&state, to: clock())
      let soon = max(now, state.lastLook.map { $0 + Self.shortestPause } ?? now)
      setAlarm(&state, min(state.due ?? soon, soon))
    }
  }
}
