/// The cost of samples that cross a process boundary.
struct BoundaryCrossing: Hashable, Sendable {
  /// The number of samples in a frame.
  var size: Int
  /// Wall-clock nanoseconds per sample from a plugin's process to its port in the host, with verification.
  var plugin: Double
  /// Wall-clock nanoseconds per sample between two processes, through a ring with a futex.
  var ring: Double
  /// Wall-clock nanoseconds per sample between two processes, through a pipe.
  var pipe: Double
}
