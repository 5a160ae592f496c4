public import StintUnits

/// The deadlines of a plugin's process, and the limits of its restarts.
public struct SupervisionLimits: Hashable, Sendable {
  /// The maximum time for reading and checking the files of the process and for starting it.
  public var start = TimeSpan.seconds(30)
  /// The maximum time from the start of the process to `opened`.
  public var open = TimeSpan.seconds(5)
  /// The maximum time for the answer to a setting, to `drain` (the request for stored samples), or to `read`
  /// (the request for facts).
  public var answer = TimeSpan.seconds(2)
  /// The maximum time from `close` to the end of the process.
  public var close = TimeSpan.seconds(2)
  /// The delay before the first restart. The delay doubles with each further failure within `window`.
  public var firstDelay = TimeSpan.milliseconds(200)
  /// The maximum delay before a restart.
  public var maxDelay = TimeSpan.seconds(30)
  /// The maximum number of failures within `window`. One further failure leads to quarantine.
  public var failures = 5
  /// The time window in which failures are counted.
  public var window = TimeSpan.minutes(5)

  /// Makes the default limits, which a daemon uses.
  public init() {}
}
