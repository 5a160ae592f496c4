import StintModel
public import StintUnits

/// A clock that a test moves; each reading is a microsecond later than the last.
public final class ManualClock: Sendable {
  private let state = Locked(Instant(nanoseconds: 1_000_000_000_000))

  /// Starts a thousand seconds after the epoch.
  public init() {}

  /// The instant to which it was moved.
  public var now: Instant {
    state.withLock { instant in
      instant = instant + TimeSpan(nanoseconds: 1000)
      return instant
    }
  }

  /// Moves it.
  public func advance(by span: TimeSpan) { state.withLock { $0 = $0 + span } }
}
