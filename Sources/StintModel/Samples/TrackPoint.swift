public import StintUnits

/// One point of a recorded or generated way.
public struct TrackPoint: Hashable, Sendable {
  /// Since the start of the track; never falls.
  public var time: TimeSpan
  public var position: Coordinate
  /// Metres above the sea.
  public var altitude: Double?
  /// Metres a second.
  public var speed: Double?
  /// 95 % radius in metres, as the recorder reported it.
  public var accuracy: Double?
  /// How the carrier moved, in the words of the source: `walk`, `car`, `still`.
  public var label: String?

  /// Makes a point.
  public init(
    time: TimeSpan, position: Coordinate, altitude: Double? = nil, speed: Double? = nil,
    accuracy: Double? = nil,
    label: String? = nil
  ) {
    self.time = time
    self.position = position
    self.altitude = altitude
    self.speed = speed
    self.accuracy = accuracy
    self.label = label
  }
}
