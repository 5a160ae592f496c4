import StintModel
import StintPluginKit
import StintUnits

/// Queries UPower on each request. After the first request, also queries it when UPower reports a change.
///
/// The bus is served by the event loop of the program, and no call waits for an answer. Before the first
/// request there is no connection. The files with temperatures are read on the thread of a worker, because a
/// file may block.
final class UPowerWatch: PowerWatching {
  private struct State {
    var facts: PowerFacts
    var upower: UPower?
    /// The number of the present connection. An answer with an earlier number is ignored.
    var turn = 0
    /// True while UPower has not answered all queries.
    var isReading = false
    var isReadRequested = false
    /// True when UPower reported a change that no reading contains yet.
    var hasNews = false
    var isClosed = false
    /// The reading to publish, and whether to publish unchanged values too.
    var reading = PowerReading([])
    var mustPublishAll = false
    var latest = Instant(nanoseconds: .min)
  }

  private let settings: PowerSupplySettings
  private let clock: LinkedPlugin.Clock
  private let loop: (any PluginLoop)?
  private let worker: DeviceWorker
  private let state: Locked<State>

  init(
    _ settings: PowerSupplySettings, port: DevicePort, clock: @escaping LinkedPlugin.Clock
  ) throws(Problem) {
    guard let worker = DeviceWorker(port: port, clock: clock, timeout: settings.timeout) else {
      throw Problem(
        .broken, device: PowerSupplyPlugin.device, cause: "the system has no pipe left",
        remedy: "raise the limit of open files (ulimit -n)")
    }
    self.worker = worker
    self.settings = settings
    self.clock = clock
    loop = port.loop
    state = Locked(State(facts: PowerFacts(port)))
  }

  // MARK: Calls from the host

  func read(at instant: Instant) {
    state.withLock { state in
      state.isReadRequested = true
      state.latest = max(state.latest, instant)
    }
    query()
  }

  func wake(at instant: Instant) {}

  func close(at instant: Instant) {
    let upower = state.withLock { state in
      state.isClosed = true
      return state.upower.take()
    }
    upower?.close()
  }

  // MARK: Readings

  /// Queries UPower when a reading is needed and no reading is in progress.
  private func query() {
    do throws(Problem) {
      guard let (upower, turn, all) = try begin() else { return }
      upower.read { [weak self] result in self?.finish(result, turn, all: all) }
    } catch {
      // The next request connects again.
      publishSoon(PowerReading(silent: error), all: true)
    }
  }

  private func begin() throws(Problem) -> (UPower, turn: Int, all: Bool)? {
    try state.withLock { state throws(Problem) in
      guard !state.isClosed, !state.isReading, state.isReadRequested || state.hasNews else { return nil }
      let all = state.isReadRequested
      state.isReadRequested = false
      state.hasNews = false
      if state.upower == nil { state.upower = try connect(&state) }
      guard let upower = state.upower else { return nil }
      state.isReading = true
      return (upower, state.turn, all)
    }
  }

  private func connect(_ state: inout State) throws(Problem) -> UPower {
    guard let loop else {
      throw Problem(.unsupported, cause: "this program has no event loop for a message bus")
    }
    state.turn += 1
    let turn = state.turn
    return try UPower(settings.bus, on: loop) { [weak self] problem in self?.changed(problem, turn) }
  }

  private func changed(_ problem: Problem?, _ turn: Int) {
    if let problem {
      finish(.failure(problem), turn, all: true)
    } else {
      state.withLock { state in if state.turn == turn { state.hasNews = true } }
      query()
    }
  }

  private func finish(_ result: Result<PowerReading, Problem>, _ turn: Int, all: Bool) {
    let (isCurrent, lost) = state.withLock { state -> (Bool, UPower?) in
      guard state.turn == turn, state.upower != nil, !state.isClosed else { return (false, nil) }
      state.isReading = false
      if case .failure = result {
        state.hasNews = false
        return (true, state.upower.take())
      }
      return (true, nil)
    }
    lost?.close()
    guard isCurrent else { return }
    switch result {
    case .success(let reading): publish(reading, all: all)
    case .failure(let problem): publish(PowerReading(silent: problem), all: true)
    }
    // A change may have arrived during the reading.
    query()
  }

  // MARK: Publishing

  /// Publishes on the loop, because only one caller at a time may use the worker.
  private func publishSoon(_ reading: PowerReading, all: Bool) {
    guard let loop else { return publish(reading, all: all) }
    _ = loop.call(after: .zero) { [weak self] in self?.publish(reading, all: all) }
  }

  private func publish(_ reading: PowerReading, all: Bool) {
    let now = state.withLock { state in
      state.reading = reading
      state.mustPublishAll = state.mustPublishAll || all
      state.latest = max(state.latest, clock())
      return state.latest
    }
    worker.perform(.read, at: now) { [self] in
      let zones = ThermalReading.read(settings)
      state.withLock { state in
        guard !state.isClosed else { return }
        state.latest = max(state.latest, clock())
        state.facts.publish(state.reading, zones, all: state.mustPublishAll, at: state.latest)
        state.mustPublishAll = false
      }
      return true
    }
  }
}

extension PowerReading {
  /// Makes a reading without values, for a UPower that does not answer.
  fileprivate init(silent problem: Problem) {
    self.init([])
    complaints = ["UPower does not answer: \(problem.statement)"]
  }
}
