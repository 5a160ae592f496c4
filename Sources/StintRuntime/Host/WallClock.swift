import StintModel
public import StintUnits

/// What a run knows of the wall clock: how its own steady time becomes local time.
///
/// A run has two times. Its instants are steady: they follow the clock that nothing sets and that goes on while the
/// machine is suspended, so spans of time are right whatever happens. Local time is an input: this value compares the
/// host's wall clock with the instants and tells when they have moved apart. May be used from any thread.
public final class WallClock: Sendable {
  /// Differences below this are reading errors, and no change.
  static let least = TimeSpan.milliseconds(100)

  private struct State {
    var clock: RunClock
    /// The rules as they were announced last.
    var rules: TimeZoneRules
    /// The rules of the place, as they were read last.
    var place: TimeZoneRules
    /// What is added to the host's clock, to try what steps do.
    var shift = TimeSpan.zero
    var last: Change?
  }

  /// Local time is another than it was.
  public struct Change: Hashable, Sendable {
    /// How instants become local time from now on.
    public var rules: TimeZoneRules
    /// How far the wall clock was set; negative when it was set back.
    public var step: TimeSpan
    /// Whether the time zone is another.
    public var isOtherZone: Bool
    public var at: Instant
  }

  private let state: Locked<State>
  /// The host's wall clock and its steady clock, read together; nil where only `shift` sets the wall clock.
  private let reading: (@Sendable () -> (wall: Instant, steady: MonotonicInstant))?

  /// Starts with these rules, at a pace.
  ///
  /// - Parameter reading: reads the wall clock and the steady clock; nil for a run whose wall clock is its own.
  public init(
    _ rules: TimeZoneRules, clock: RunClock,
    reading: (@Sendable () -> (wall: Instant, steady: MonotonicInstant))? = SystemClock.both
  ) {
    state = Locked(State(clock: clock, rules: rules, place: rules))
    self.reading = reading
  }

  /// The run's time now.
  public var now: Instant { clock.instant(at: SystemClock.monotonic()) }

  /// How readings of the steady clock become the run's time.
  public var clock: RunClock { state.withLock { $0.clock } }

  /// How instants become local time, by the rules that were announced last.
  public var rules: TimeZoneRules { state.withLock { $0.rules } }

  /// The last change of a second or more; nil when there was none.
  public var lastChange: Change? { state.withLock { $0.last } }

  /// Has the run go on from an instant, with a wall clock that was so far ahead of it. To be called before it begins.
  public func resume(at instant: Instant, ahead: TimeSpan) {
    let anchor = SystemClock.monotonic()
    state.withLock { state in
      state.clock = RunClock(start: instant, anchor: anchor, speed: state.clock.speed)
      state.rules = state.place.withWallClock(ahead: ahead)
    }
  }

  /// How local time went before the run goes on, for the host to follow first: nothing was set.
  public func resumed(at instant: Instant) -> Change {
    Change(rules: rules, step: .zero, isOtherZone: false, at: instant)
  }

  /// Adds a span to what the host's clock shows; `change` tells of it.
  public func shift(by span: TimeSpan) { state.withLock { $0.shift = span } }

  /// The time zone has other rules from now on; `change` tells of it.
  public func move(to place: TimeZoneRules) { state.withLock { $0.place = place } }

  /// What became of local time since this was asked last; nil when nothing did.
  public func change(at instant: Instant) -> Change? {
    let read = reading?()
    return state.withLock { state in
      let known = state.rules.ahead
      var ahead = TimeSpan.zero
      if let read { ahead = Self.span(from: state.clock.instant(at: read.steady), to: read.wall) }
      ahead = TimeSpan(
        nanoseconds: ahead.nanoseconds.addingReportingOverflow(state.shift.nanoseconds).partialValue)
      let bounded = state.place.withWallClock(ahead: ahead)
      let step = bounded.ahead - known
      let isOtherZone = state.place != state.rules.withWallClock(ahead: .zero)
      let isStep = step >= Self.least || step <= TimeSpan.zero - Self.least
      guard isStep || isOtherZone else { return nil }
      state.rules = isStep ? bounded : state.place.withWallClock(ahead: known)
      let change = Change(
        rules: state.rules, step: isStep ? step : .zero, isOtherZone: isOtherZone, at: instant)
      if change.sentence != nil { state.last = change }
      return change
    }
  }

  private static func span(from: Instant, to: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: to.nanoseconds.subtractingReportingOverflow(from.nanoseconds).partialValue)
  }
}

extension WallClock.Change {
  /// What to tell the operator; nil where the clock was set by less than a second.
  public var sentence: String? {
    let size = TimeSpan(nanoseconds: abs(step.nanoseconds))
    var parts: [String] = []
    if size >= .seconds(1) {
      parts.append("the host's clock was set \(step > .zero ? "forward" : "back") by \(size.wholeSeconds)")
    }
    if isOtherZone { parts.append("the time zone has other rules") }
    guard !parts.isEmpty else { return nil }
    return parts.joined(separator: ", and ") + ": local time follows, spans of time go on"
  }
}

extension TimeSpan {
  /// The span in words, to the second.
  fileprivate var wholeSeconds: String {
    TimeSpan.seconds((nanoseconds + 500_000_000) / 1_000_000_000).readable
  }
}
