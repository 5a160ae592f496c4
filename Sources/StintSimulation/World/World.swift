import StintFormats
public import StintModel
public import StintUnits

/// A world that can be looked at from many places at once.
///
/// Every device, and the referee, owns a view of its own: views share nothing, so the answers do not depend on
/// who asks first or on how many threads do.
public protocol WorldSource: Sendable {
  /// A new view that stands at the start.
  ///
  /// - Throws: when what the world is read from cannot be opened.
  func makeView() throws(Problem) -> any WorldView
}

/// One reader of a world; it moves forward only.
public protocol WorldView {
  /// The truth at an instant that is not before any that was asked for earlier.
  mutating func state(at instant: Instant) -> WorldState

  /// The first instant after this one at which activity, sky or Wi-Fi may be another; nil when they stay for
  /// ever. Until then they are as `state(at:)` says.
  mutating func nextCoverageChange(after instant: Instant) -> Instant?
}

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
