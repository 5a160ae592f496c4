import StintModel
public import StintUnits

/// The relation between the instants of a run, the wall clock and local time.
///
/// Instants follow the monotonic clock, which is never set and continues while the machine is suspended, so
/// time spans are always correct. Local time is an input: this object compares the wall clock with the
/// instants and reports changes. The object may be used from any thread.
public final class WallClock: Sendable {
  /// The smallest change of the wall clock to report. Smaller differences are measurement errors.
  static let least = TimeSpan.milliseconds(100)

  private struct State {
    var clock: RunClock
    /// The rules of the last reported change.
    var rules: TimeZoneRules
    /// The current rules of the time zone.
    var zone: TimeZoneRules
    /// A simulated offset that is added to the wall clock.
    var shift = TimeSpan.zero
    var last: Change?
  }

  /// A change of local time.
  public struct Change: Hashable, Sendable {
    /// The rules that convert instants to local time from now on.
    public var rules: TimeZoneRules
    /// The span by which the wall clock was set; negative when it was set back.
    public var step: TimeSpan
    /// True when the rules of the time zone changed.
    public var isOtherZone: Bool
    /// The instant at which the change was noticed.
    public var at: Instant
  }

  private let state: Locked<State>
  /// Reads the wall clock and the monotonic clock together; nil when only `shift` changes the wall clock.
  private let reading: (@Sendable () -> (wall: Instant, steady: MonotonicInstant))?

  /// Creates a wall clock with the rules of a time zone.
  ///
  /// - Parameter reading: reads the wall clock and the monotonic clock; nil for a run with a simulated
  ///   wall clock.
  public init(
    _ rules: TimeZoneRules, clock: RunClock,
    reading: (@Sendable () -> (wall: Instant, steady: MonotonicInstant))? = SystemClock.both
  ) {
    state = Locked(State(clock: clock, rules: rules, zone: rules))
    self.reading = reading
  }

  /// The current instant of the run.
  public var now: Instant { clock.instant(at: SystemClock.monotonic()) }

  /// The conversion of times of the monotonic clock to instants of the run.
  public var clock: RunClock { state.withLock { $0.clock } }

  /// The rules of the last reported change, which convert instants to local time.
  public var rules: TimeZoneRules { state.withLock { $0.rules } }

  /// The last change of at least a second or of the time zone; nil when there was no change.
  public var lastChange: Change? { state.withLock { $0.last } }

  /// Continues the run of a previous process at an instant. The wall clock was ahead of the run's time by the
  /// span `ahead`. Must be called before the run starts.
  public func resume(at instant: Instant, ahead: TimeSpan) {
    let anchor = SystemClock.monotonic()
    state.withLock { state in
      state.clock = RunClock(start: instant, anchor: anchor, speed: state.clock.speed)
      state.rules = state.zone.withWallClock(ahead: ahead)
    }
  }

  /// Returns the current rules as a change without a step. A resumed host applies this change first.
  public func resumed(at instant: Instant) -> Change {
    Change(rules: rules, step: .zero, isOtherZone: false, at: instant)
  }

  /// Sets a simulated offset of the wall clock. The next call of `change(at:)` reports it.
  public func shift(by span: TimeSpan) { state.withLock { $0.shift = span } }

  /// Sets the rules of the time zone. The next call of `change(at:)` reports them.
  public func move(to zone: TimeZoneRules) { state.withLock { $0.zone = zone } }

  /// Returns the change of local time since the last returned change; nil when there is no change.
  public func change(at instant: Instant) -> Change? {
    let read = reading?()
    return state.withLock { state in
      let lastAhead = state.rules.ahead
      var ahead = TimeSpan.zero
      if let read { ahead = Self.span(from: state.clock.instant(at: read.steady), to: read.wall) }
      ahead = TimeSpan(
        nanoseconds: ahead.nanoseconds.addingReportingOverflow(state.shift.nanoseconds).partialValue)
      let newRules = state.zone.withWallClock(ahead: ahead)
      let step = newRules.ahead - lastAhead
      let isOtherZone = state.zone != state.rules.withWallClock(ahead: .zero)
      let isStep = step >= Self.least || step <= TimeSpan.zero - Self.least
      guard isStep || isOtherZone else { return nil }
      state.rules = isStep ? newRules : state.zone.withWallClock(ahead: lastAhead)
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
  /// The message for the operator. Nil when the clock was set by less than a second and the time zone
  /// is unchanged.
  public var sentence: String? {
    let size = TimeSpan(nanoseconds: abs(step.nanoseconds))
    var parts: [String] = []
    if size >= .seconds(1) {
      parts.append("the host's clock was set \(step > .zero ? "forward" : "back") by \(size.wholeSeconds)")
    }
    if isOtherZone { parts.append("the rules of the time zone changed") }
    guard !parts.isEmpty else { return nil }
    return parts.joined(separator: ", and ") + ": local time changes, time spans do not"
  }
}

extension TimeSpan {
  /// The span in words, rounded to seconds.
  fileprivate var wholeSeconds: String {
    TimeSpan.seconds((nanoseconds + 500_000_000) / 1_000_000_000).readable
  }
}
