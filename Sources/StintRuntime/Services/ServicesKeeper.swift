public import StintServices
public import StintUnits

/// Where services are kept over a restart.
public protocol ServicesKeeper: Sendable {
  /// Replaces what was kept; it outlives the process when this returns, or what was kept before does when this throws.
  func keep(_ memory: MemoryValue) throws(Problem)
}
