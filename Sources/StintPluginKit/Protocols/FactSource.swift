public import StintUnits

/// A plugin that finds its facts out only while somebody reads them.
public protocol FactSource: DevicePlugin {
  /// The facts that policies in force read from now on, by their places in the manifest's `facts`; none of the others
  /// is waited for. Until it is told, a source takes it that none is needed.
  func need(_ facts: Set<Int>, at instant: Instant)
}
