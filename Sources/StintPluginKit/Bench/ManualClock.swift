import StintModel
public import StintUnits

/// A clock that is moved by a test. Each access to `now` also moves the clock by 1 µs.
public final class ManualClock: Sendable {
  private let state = Locked(Instant(nanoseconds: 1_000_000_000_000))

  /// Makes a clock that starts 1,000 s after the epoch.
  public init() {}

  /// The current instant. Each access first moves the clock forward by 1 µs.
  public var now: Instant {
    state.withLock { instant in
      instant = instant + TimeSpan(nanoseconds: 1000)
      return instant
    }
  }

  /// Moves the clock forward.
  public func advance(by span: TimeSpan) { state.withLock { $0 = $0 + span } }
}
