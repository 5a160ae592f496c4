public import StintUnits

/// A stay at a place that mattered.
public struct Visit: Hashable, Sendable {
  public var place: Coordinate
  /// 95 % radius of the place in metres.
  public var accuracy: Double
  /// When it began; the notice comes some minutes later.
  public var arrival: Instant
  /// When it ended; nil while it goes on.
  public var departure: Instant?

  /// Makes a visit.
  public init(place: Coordinate, accuracy: Double, arrival: Instant, departure: Instant? = nil) {
    self.place = place
    self.accuracy = accuracy
    self.arrival = arrival
    self.departure = departure
  }
}
