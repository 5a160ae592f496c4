public import StintUnits

/// A source whose facts are read on request: its manifest has facts with `read`.
public protocol SourcePlugin: DevicePlugin {
  /// Reads the facts that the manifest marks with `read`, and publishes each at this instant; `unknown` when
  /// the read fails.
  ///
  /// The host calls this when a rule or a service needs the facts, at intervals of at least `every`, and
  /// never without need.
  func read(at instant: Instant)
}
