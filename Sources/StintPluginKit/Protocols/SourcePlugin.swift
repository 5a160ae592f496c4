public import StintUnits

/// A source that is read: one whose manifest says `read` of a fact.
public protocol SourcePlugin: DevicePlugin {
  /// Reads the facts that the manifest says are read, and publishes each of them at this instant; `unknown` where that
  /// fails.
  ///
  /// Called when a rule or a service needs its facts, never sooner than `every` after the last time. Nothing
  /// is read otherwise.
  func read(at instant: Instant)
}
