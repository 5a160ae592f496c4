public import StintServices
public import StintUnits

/// The storage for services across restarts.
public protocol ServicesKeeper: Sendable {
  /// Replaces the saved state. When the call returns, the new state is persistent. When it throws, the
  /// previous state remains.
  func keep(_ memory: MemoryValue) throws(Problem)
}
