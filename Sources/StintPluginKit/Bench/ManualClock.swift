import StintModel
public import StintUnits

/// A clock that a test sets. Each reading is 1 µs later than the previous one.
public final class ManualClock: Sendable {
  private let state = Locked(Instant(nanoseconds: 1_000_000_000_000))

  /// Makes a clock that starts 1,000 s after the epoch.
  public init() {}

  /// The current instant of the clock; reading it moves the clock by 1 µs.
  public var now: Instant {
    state.withLock { instant in
      instant = instant + TimeSpan(nanoseconds: 1000)
      return instant
    }
  }

  /// Moves the clock forward.
  public func advance(by span: TimeSpan) { state.withLock { $0 = $0 + span } }
}
