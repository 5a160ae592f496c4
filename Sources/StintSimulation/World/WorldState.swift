public import StintModel
public import StintUnits

/// The truth about the phone at one moment; devices see it through their errors.
public struct WorldState: Hashable, Sendable {
  public var position: Coordinate
  /// Metres a second.
  public var speed: Double
  /// Degrees clockwise from north; nil while standing still.
  public var heading: Double?
  public var activity: Activity
  public var sky: Leg.Sky
  /// Whether a known Wi-Fi network can be joined.
  public var hasWiFi: Bool

  /// Makes a state.
  public init(
    position: Coordinate, speed: Double = 0, heading: Double? = nil, activity: Activity = .still,
    sky: Leg.Sky = .open, hasWiFi: Bool = false
  ) {
    self.position = position
    self.speed = speed
    self.heading = heading
    self.activity = activity
    self.sky = sky
    self.hasWiFi = hasWiFi
  }
}
