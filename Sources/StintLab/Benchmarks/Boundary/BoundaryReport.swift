/// The cost of a process boundary.
struct BoundaryReport: Hashable, Sendable {
  var crossings: [BoundaryCrossing]
  /// Nanoseconds from a setting to its answer in a plugin's process, and for a round trip through a pipe.
  var pluginTrip: Double
  var pipeTrip: Double
}
