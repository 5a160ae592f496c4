/// What the boundary of a process costs.
struct BoundaryReport: Hashable, Sendable {
  var crossings: [BoundaryCrossing]
  /// Nanoseconds from a setting to its answer, by a plugin's process, and there and back by a pipe.
  var pluginTrip: Double
  var pipeTrip: Double
}
