/// The cost of samples that cross a process boundary.
struct BoundaryCrossing: Hashable, Sendable {
  /// The number of samples in a frame.
  var size: Int
  /// Wall-clock nanoseconds per sample: from a plugin's process to its port in the host, with verification;
  /// through a ring with a futex; and through a pipe. The last two run between two processes.
  var plugin: Double
  var ring: Double
  var pipe: Double
}
