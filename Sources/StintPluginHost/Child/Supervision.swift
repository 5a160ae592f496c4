package import StintUnits

/// A pure state machine that decides when a plugin's process is started, killed, restarted or quarantined.
///
/// Each process ends either with one failure or because the host requested the end. After a failure, the next
/// process starts after a delay, which doubles with each failure within a time window. Too many failures
/// within the window, or one permanent failure, lead to quarantine.
package struct Supervision: Hashable, Sendable {
  /// An event that concerns a plugin's process.
  package enum Event: Hashable, Sendable {
    /// The host requests that the plugin serves.
    case start
    /// The process could not be started.
    case notSpawned(ChildFailure)
    /// The process was started, after its files were read.
    case spawned
    /// The process answered `open`.
    case opened
    /// The host sent the process a request that needs an answer.
    case asked
    /// The process answered a request. The host has waited for the next answer since this instant; nil when
    /// no request is unanswered.
    case answered(waitingSince: Instant?)
    /// The process violated the protocol or a limit.
    case broke(ChildFailure)
    /// The process has ended, with the reason as far as the system reports it.
    case exited(ChildFailure)
    /// The host requests that the process ends.
    case close
    /// The last requested `alarm` has expired.
    case alarm
  }

  /// An action for the host, to be performed in the order of the array.
  package enum Effect: Hashable, Sendable {
    /// Start the process, and report `notSpawned` when that fails.
    case spawn
    /// Send `close` to the process.
    case sendClose
    /// Kill the process now; `exited` follows.
    case kill
    /// Report `alarm` at this instant, in place of the previous request. Nil cancels the previous request.
    case alarm(Instant?)
    /// The process serves.
    case serving
    /// The process no longer serves; the device falls back to the safe state of its manifest.
    case lost(ChildFailure)
    /// The process is not restarted.
    case quarantined(ChildFailure)
    /// The supervision has ended.
    case finished
  }

  /// The state of a plugin's process.
  package enum State: Hashable, Sendable {
    case idle
    /// The files of the process are read, or the process runs but has not answered `open` yet.
    case starting
    case serving
    /// The host sent `close` to the process.
    case closing
    /// The process was killed because of this failure and has not ended yet. The failure is nil when the host
    /// requested the end.
    case dying(ChildFailure?)
    /// No process runs. The next process starts at this instant.
    case waiting(until: Instant, ChildFailure)
    /// The process is not restarted.
    case quarantined(ChildFailure)
    case finished

    /// The name of the state in JSON.
    package var word: String {
      switch self {
      case .idle: "idle"
      case .starting: "starting"
      case .serving: "serving"
      case .closing: "closing"
      case .dying: "ending"
      case .waiting: "waiting"
      case .quarantined: "quarantined"
      case .finished: "ended"
      }
    }
  }

  /// The current state.
  package private(set) var state = State.idle
  /// How often the process was restarted.
  package private(set) var restarts = 0
  private let limits: SupervisionLimits
  /// The instants of recent failures, oldest first.
  private var failures: [Instant] = []
  private var deadline: Instant?
  /// In the state `starting`: true when the process runs, false while its files are still being read.
  private var isSpawned = false

  /// Makes the supervision of a plugin that was not started yet.
  package init(limits: SupervisionLimits = SupervisionLimits()) { self.limits = limits }

  /// Applies an event and returns the actions for the host. Events that are impossible in the current state
  /// are ignored.
  package mutating func step(_ event: Event, at now: Instant) -> [Effect] {
    let before = deadline
    var effects = react(to: event, at: now)
    if deadline != before { effects.append(.alarm(deadline)) }
    return effects
  }

  private mutating func react(to event: Event, at now: Instant) -> [Effect] {
    switch state {
    case .idle: return begin(event, at: now)
    case .starting, .serving: return reactWhileRunning(event, at: now)
    case .closing: return reactWhileClosing(event, at: now)
    case .dying(let failure):
      switch event {
      case .exited: return failure.map { fail($0, at: now) } ?? finish()
      case .close:
        state = .dying(nil)
        return []
      default: return []
      }
    case .waiting(let until, _):
      switch event {
      case .alarm where now >= until:
        restarts += 1
        return begin(.start, at: now)
      case .close: return finish()
      default: return []
      }
    case .quarantined: return event == .close ? finish() : []
    case .finished: return []
    }
  }

  private mutating func begin(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .start:
      state = .starting
      isSpawned = false
      deadline = now + limits.start
      return [.spawn]
    case .close: return finish()
    default: return []
    }
  }

  private mutating func reactWhileRunning(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .spawned where state == .starting:
      isSpawned = true
      deadline = now + limits.open
      return []
    case .opened where state == .starting:
      state = .serving
      deadline = nil
      return [.serving]
    case .asked where state == .serving:
      deadline = deadline ?? now + limits.answer
      return []
    case .answered(let since) where state == .serving:
      deadline = since.map { $0 + limits.answer }
      return []
    case .alarm:
      guard let deadline, now >= deadline else { return [] }
      return kill(ChildFailure(.hang, lateness))
    case .broke(let failure): return kill(failure)
    case .exited(let failure): return [.lost(failure)] + fail(failure, at: now)
    case .notSpawned(let failure) where state == .starting: return [.lost(failure)] + fail(failure, at: now)
    case .close:
      let isServing = state == .serving
      state = isServing ? .closing : .dying(nil)
      deadline = isServing ? now + limits.close : nil
      return [isServing ? .sendClose : .kill]
    default: return []
    }
  }

  /// The sentence for a missed deadline of a process that starts or serves.
  private var lateness: String {
    guard state == .starting else { return "did not answer within \(limits.answer)" }
    return isSpawned
      ? "did not open within \(limits.open)"
      : "cannot be started: its files could not be read within \(limits.start)"
  }

  private mutating func reactWhileClosing(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .exited: return finish()
    case .broke: break
    case .alarm:
      guard let deadline, now >= deadline else { return [] }
    default: return []
    }
    state = .dying(nil)
    deadline = nil
    return [.kill]
  }

  private mutating func kill(_ failure: ChildFailure) -> [Effect] {
    state = .dying(failure)
    deadline = nil
    return [.kill, .lost(failure)]
  }

  private mutating func fail(_ failure: ChildFailure, at now: Instant) -> [Effect] {
    failures.removeAll { now - $0 > limits.window }
    failures.append(now)
    guard !failure.isPermanent, failures.count <= limits.failures else {
      state = .quarantined(failure)
      deadline = nil
      return [.quarantined(failure)]
    }
    let doublings = Int64(1) << Int64(min(failures.count - 1, 40))
    let until = now + limits.firstDelay.times(doublings, capped: limits.maxDelay)
    state = .waiting(until: until, failure)
    deadline = until
    return []
  }

  private mutating func finish() -> [Effect] {
    state = .finished
    deadline = nil
    return [.finished]
  }
}
