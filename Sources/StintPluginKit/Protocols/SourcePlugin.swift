public import StintUnits

/// A source whose facts are read on request: its manifest has facts with `read`.
public protocol SourcePlugin: DevicePlugin {
  /// Reads the facts that the manifest marks with `read`, and publishes each at this instant. Publishes
  /// `unknown` for a fact that cannot be read.
  ///
  /// The host calls this function only when a rule or a service needs the facts. The time between two calls
  /// is at least `every`, as specified in the manifest.
  func read(at instant: Instant)
}
