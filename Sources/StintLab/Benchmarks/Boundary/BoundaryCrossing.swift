/// How fast samples come over the boundary of a process.
struct BoundaryCrossing: Hashable, Sendable {
  /// Samples in a frame.
  var size: Int
  /// Nanoseconds by the clock for a sample: from a plugin's process to its port in the host, verified;
  /// through a bare ring that sleeps on a futex, and through a pipe, both between two processes.
  var plugin: Double
  var ring: Double
  var pipe: Double
}
