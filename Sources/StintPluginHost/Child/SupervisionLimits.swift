public import StintUnits

/// How patient the host is with a plugin.
public struct SupervisionLimits: Hashable, Sendable {
  /// From the start of the process to `opened`.
  public var open = TimeSpan.seconds(5)
  /// For the answer to a setting or to a drain.
  public var verb = TimeSpan.seconds(2)
  /// From `close` to the end of the process.
  public var close = TimeSpan.seconds(2)
  /// The wait before the first new start; each that follows waits twice as long.
  public var firstDelay = TimeSpan.milliseconds(200)
  public var longestDelay = TimeSpan.seconds(30)
  /// More failures than this within `window` end in quarantine.
  public var failures = 5
  public var window = TimeSpan.minutes(5)

  /// The limits of a daemon.
  public init() {}
}
