/// The cost of samples that cross a process boundary.
struct BoundaryCrossing: Hashable, Sendable {
  /// The number of samples in a frame.
  var size: Int
  /// Wall-clock nanoseconds per sample. `plugin` is from a plugin's process to its port in the host, with
  /// verification. `ring` is through a ring with a futex and `pipe` through a pipe, both between two
  /// processes.
  var plugin: Double
  var ring: Double
  var pipe: Double
}
