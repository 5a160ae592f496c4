import StintModel
import StintUnits

/// The phase of a location stream: running, paused or suspended. Rest, movement and the lack of good fixes
/// change the phase.
///
/// The phase returns the change to make. The stream carries out the change with its demands and notices, and
/// confirms the change with `pause`, `resume` or `retry`.
struct LocationPhase: Sendable {
  private enum State: Sendable {
    case running
    case paused(LocationPause)
    /// Updates are suspended until this instant.
    case resting(until: Instant)
  }

  /// A change of the phase that the stream carries out.
  enum Change: Hashable, Sendable {
    /// Updates pause at this rest position.
    case pause(Coordinate)
    case resume
    /// A position probe of a pause begins or ends.
    case probe
    /// Updates are suspended until this instant.
    case rest(until: Instant)
    /// The next attempt of suspended updates begins.
    case retry
  }

  private var state = State.running
  private var watch: StillnessWatch
  private var trend = AccuracyTrend()
  private var attempt = AttemptTimer()

  init(_ activity: LocationActivity) { watch = StillnessWatch(LocationDefaults.pauseRule(for: activity)) }

  var isRunning: Bool { if case .running = state { true } else { false } }
  var isPaused: Bool { if case .paused = state { true } else { false } }

  /// True while updates are suspended.
  var isResting: Bool { if case .resting = state { true } else { false } }

  /// Returns the reason why updates are paused or suspended, and the events that continue them. Nil while
  /// updates run.
  ///
  /// - Parameter wakesOnMotion: whether a sensor detects movement.
  func pause(wakesOnMotion: Bool) -> ServicePause? {
    switch state {
    case .running: nil
    case .paused(let pause):
      ServicePause(
        .atRest, endsOnMovement: wakesOnMotion, reach: .meters(pause.reach), next: pause.next,
        isChecking: pause.isProbing)
    case .resting(let until): ServicePause(.noFix, endsOnMovement: wakesOnMotion, next: until)
    }
  }

  /// True while the phase needs positions: running, or during a position probe of a pause.
  var needsPositions: Bool {
    switch state {
    case .running: true
    case .paused(let pause): pause.isProbing
    case .resting: false
    }
  }

  /// Returns the next instant at which `timer` must be called.
  func nextTimer(_ retry: RetrySchedule?) -> Instant {
    switch state {
    case .running: givesUpAt(retry) ?? .distantFuture
    case .paused(let pause): pause.next
    case .resting(let until): until
    }
  }

  /// The instant at which updates are suspended unless a good fix arrives. Nil when the request has no retry
  /// schedule or no attempt is in progress.
  private func givesUpAt(_ retry: RetrySchedule?) -> Instant? {
    guard let retry, let since = attempt.since else { return nil }
    return since + retry.attemptDuration.timeSpan
  }

  // MARK: Observations

  /// Begins an attempt, because a device serves the demand.
  mutating func beginAttempt(at instant: Instant) {
    attempt.begin(at: instant)
    trend.restart()
  }

  /// Ends the attempt, because no device serves the demand.
  mutating func endAttempt() { attempt.end() }

  /// Processes a fix of the serving device, whether it is delivered or not.
  ///
  /// - Parameters:
  ///   - span: the time for which a good fix is fresh.
  ///   - mayPause: whether the stream may pause at rest.
  mutating func observe(
    _ place: Coordinate, radius: Double, isGood: Bool, lasting span: TimeSpan, mayPause: Bool,
    at instant: Instant
  ) -> Change? {
    attempt.fixArrived(isGood: isGood, at: instant, lasting: span)
    trend.add(radius, at: instant)
    switch state {
    case .running:
      guard mayPause else { return nil }
      watch.add(place, radius: radius, at: instant)
      return watch.restPosition(at: instant).map { .pause($0) }
    case .paused(var pause):
      guard pause.isProbing else { return nil }
      let hasLeft = pause.found(place, radius: radius, at: instant)
      state = .paused(pause)
      return hasLeft ? .resume : .probe
    case .resting: return nil
    }
  }

  /// Processes a report that movement began or ended.
  ///
  /// - Parameter begins: true when movement begins after a standstill.
  mutating func move(_ isMoving: Bool, begins: Bool, at instant: Instant) -> Change? {
    switch state {
    case .running: return nil
    case .paused(var pause):
      let isOver = pause.ingest(isMoving: isMoving, at: instant)
      state = .paused(pause)
      return isOver ? .resume : nil
    // Try again only when movement begins after a standstill: the reception may then have changed.
    case .resting: return begins ? .retry : nil
    }
  }

  /// Records that no sensor detects movement any longer.
  mutating func loseMotion(at instant: Instant) {
    guard case .paused(var pause) = state else { return }
    pause.lose(at: instant)
    state = .paused(pause)
  }

  /// Uses the pause rule of another activity from now on.
  mutating func follow(_ activity: LocationActivity, at instant: Instant) -> Change? {
    watch.follow(LocationDefaults.pauseRule(for: activity))
    // A position that counts as rest for a walker may be a stop at a red light for a driver.
    return isPaused && watch.restPosition(at: instant) == nil ? .resume : nil
  }

  /// Handles the instant of `nextTimer`, or an earlier instant.
  mutating func timer(_ retry: RetrySchedule?, at instant: Instant) -> Change? {
    switch state {
    case .running: return giveUpIfDue(retry, at: instant)
    case .paused(var pause):
      pause.fire(at: instant)
      state = .paused(pause)
      return .probe
    case .resting(let until): return instant >= until ? .retry : nil
    }
  }

  private mutating func giveUpIfDue(_ retry: RetrySchedule?, at instant: Instant) -> Change? {
    guard let retry, let due = givesUpAt(retry), instant >= due else { return nil }
    // While fixes arrive and their accuracy improves, the attempt is extended.
    if attempt.hasFix, trend.verdict == .improving {
      attempt.extend(by: LocationDefaults.fixAge)
      return nil
    }
    attempt.fail()
    let next = instant + retry.wait(after: attempt.failures)
    state = .resting(until: next)
    return .rest(until: next)
  }

  // MARK: Changes

  /// Begins a pause at a rest position.
  ///
  /// - Parameter isWatched: whether a sensor detects movement.
  mutating func pause(at place: Coordinate, isWatched: Bool, at instant: Instant) {
    state = .paused(LocationPause(at: place, reach: watch.rule.reach, isWatched: isWatched, at: instant))
    attempt.end()
  }

  /// Ends a pause.
  ///
  /// - Parameter isServed: whether a demand is raised, so that an attempt begins.
  mutating func resume(isServed: Bool, at instant: Instant) {
    state = .running
    watch.restart()
    if isServed { attempt.begin(at: instant) }
  }

  mutating func retry() { state = .running }
}
