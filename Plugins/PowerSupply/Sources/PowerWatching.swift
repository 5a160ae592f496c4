import StintUnits

/// A source of power and thermal values for the plugin.
protocol PowerWatching: Sendable {
  /// Publishes all values, now or soon.
  func read(at instant: Instant)
  /// Handles an expired alarm.
  func wake(at instant: Instant)
  func close(at instant: Instant)
}
