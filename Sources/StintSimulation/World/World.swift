import StintFormats
public import StintModel
public import StintUnits

/// A world that many readers can observe concurrently.
///
/// Each device and the `AccuracyReferee` have views of their own. Views share no state, so the results depend
/// neither on the order of the readers nor on the number of threads.
public protocol WorldSource: Sendable {
  /// Makes a view at the start of the world.
  ///
  /// - Throws: a problem when the track of the world cannot be opened.
  func makeView() throws(Problem) -> any WorldView
}

/// One reader of a world; it moves only forward in time.
public protocol WorldView {
  /// Returns the true state at an instant, which must not be before the instant of an earlier call.
  mutating func state(at instant: Instant) -> WorldState

  /// Returns the first instant after `instant` at which activity, sky or Wi-Fi may change; nil when they
  /// never change again. Until the returned instant, the activity, sky and Wi-Fi of the state at `instant`
  /// remain valid.
  mutating func nextCoverageChange(after instant: Instant) -> Instant?
}

/// The true state of the phone at one instant; devices measure it with errors.
public struct WorldState: Hashable, Sendable {
  /// The true position.
  public var position: Coordinate
  /// The speed in metres per second.
  public var speed: Double
  /// The heading in degrees clockwise from north; nil while the phone is still, and in a recorded track.
  public var heading: Double?
  /// The activity of the person or vehicle that carries the phone.
  public var activity: Activity
  /// The sky view, which limits satellite reception.
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
