public import StintUnits

/// A circle on the map that a client wants watched.
public struct Region: Hashable, Sendable {
  /// What the client calls it; unique among those of one request.
  public var name: String
  public var centre: Coordinate
  /// Metres.
  public var radius: Double
  /// How long one must be inside before it counts.
  public var enterAfter: TimeSpan
  /// How long one must be outside before it counts.
  public var exitAfter: TimeSpan

  /// Makes a region.
  public init(
    _ name: String, centre: Coordinate, radius: Double, enterAfter: TimeSpan = .seconds(20),
    exitAfter: TimeSpan = .seconds(60)
  ) {
    self.name = name
    self.centre = centre
    self.radius = radius
    self.enterAfter = enterAfter
    self.exitAfter = exitAfter
  }
}
