import StintUnits

/// Publishes power and thermal values for the plugin.
protocol PowerWatching: Sendable {
  /// Publishes all values, either before the call returns or soon after.
  func read(at instant: Instant)
  /// Handles an expired alarm.
  func wake(at instant: Instant)
  func close(at instant: Instant)
}
