/// What the boundary of a process costs.
public struct BoundaryReport: Hashable, Sendable {
  public var crossings: [BoundaryCrossing]
  /// Nanoseconds from a setting to its answer, by a plugin's process, and there and back by a pipe.
  public var pluginTrip: Double
  public var pipeTrip: Double
}
