public import StintUnits

/// Decides when a plugin's process is started, killed, restarted or given up: a pure state machine.
///
/// Each life of the process ends in one failure, or in the end that was asked for. After a failure the next
/// life begins with a delay that doubles; too many within a while, or one that would only repeat itself, is
/// quarantine.
public struct Supervision: Hashable, Sendable {
  /// What happens to a plugin.
  public enum Event: Hashable, Sendable {
    /// The host wants it to serve.
    case start
    /// The process could not be started.
    case notSpawned(ChildFailure)
    /// It answered `open`.
    case opened
    /// It was asked something that it has to answer.
    case asked
    /// It answered; true when it still owes an answer.
    case answered(more: Bool)
    /// It did what ends the trust in it.
    case broke(ChildFailure)
    /// The process is gone, and why, as far as the system knows.
    case exited(ChildFailure)
    /// The host wants it to end.
    case close
    /// The instant of the last `alarm` has come.
    case alarm
  }

  /// What is to be done about it, in this order.
  public enum Effect: Hashable, Sendable {
    /// Start the process, and say `notSpawned` if that fails.
    case spawn
    /// Say `close` to it.
    case sendClose
    /// End the process now; `exited` will follow.
    case kill
    /// Send `alarm` then; nil takes back what was asked before.
    case alarm(Instant?)
    /// It serves.
    case serving
    /// It serves no more; the device is as the manifest says that it falls to.
    case lost(ChildFailure)
    /// It is not started again.
    case quarantined(ChildFailure)
    /// Nothing more will happen.
    case finished
  }

  /// Where a plugin stands.
  public enum State: Hashable, Sendable {
    case idle
    /// The process runs and has not opened.
    case starting
    case serving
    /// The host sent it `close`.
    case closing
    /// It was killed because of this and has not ended yet; nil when it was to end anyway.
    case dying(ChildFailure?)
    /// Nothing runs; the next start comes at this instant.
    case waiting(until: Instant, ChildFailure)
    /// It is not started again.
    case quarantined(ChildFailure)
    case finished
  }

  public private(set) var state = State.idle
  /// How often the process was started again.
  public private(set) var restarts = 0
  private let limits: SupervisionLimits
  /// When it failed lately, oldest first.
  private var failures: [Instant] = []
  private var deadline: Instant?

  /// Makes the machine of a plugin that has not been started.
  public init(limits: SupervisionLimits = SupervisionLimits()) { self.limits = limits }

  /// Takes an event and says what is to be done. What cannot happen in a state is ignored.
  public mutating func step(_ event: Event, at now: Instant) -> [Effect] {
    let before = deadline
    var effects = react(to: event, at: now)
    if deadline != before { effects.append(.alarm(deadline)) }
    return effects
  }

  private mutating func react(to event: Event, at now: Instant) -> [Effect] {
    switch state {
    case .idle: return begin(event, at: now)
    case .starting, .serving: return live(event, at: now)
    case .closing: return end(event, at: now)
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
      deadline = now + limits.open
      return [.spawn]
    case .close: return finish()
    default: return []
    }
  }

  private mutating func live(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .opened where state == .starting:
      state = .serving
      deadline = nil
      return [.serving]
    case .asked where state == .serving:
      deadline = deadline ?? now + limits.verb
      return []
    case .answered(let more) where state == .serving:
      deadline = more ? now + limits.verb : nil
      return []
    case .alarm:
      guard let deadline, now >= deadline else { return [] }
      let verb = state == .starting ? "open within \(limits.open)" : "answer within \(limits.verb)"
      return kill(ChildFailure(.hang, "did not \(verb)"))
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

  private mutating func end(_ event: Event, at now: Instant) -> [Effect] {
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
    let until = now + limits.firstDelay.times(doublings, capped: limits.longestDelay)
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
