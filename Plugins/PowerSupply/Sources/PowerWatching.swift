import StintUnits

/// What looks at power and heat for the plugin.
protocol PowerWatching: Sendable {
  /// Says all that there is, now or soon.
  func read(at instant: Instant)
  /// An alarm has come.
  func wake(at instant: Instant)
  func close(at instant: Instant)
}
