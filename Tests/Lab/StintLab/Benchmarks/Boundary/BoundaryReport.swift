/// The cost of a process boundary.
struct BoundaryReport: Hashable, Sendable {
  var crossings: [BoundaryCrossing]
  /// Nanoseconds from a setting to the answer of a plugin's process.
  var pluginTrip: Double
  /// Nanoseconds for a round trip through a pipe.
  var pipeTrip: Double
}
