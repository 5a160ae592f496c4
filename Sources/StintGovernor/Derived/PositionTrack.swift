import StintModel
import StintUnits

/// The estimated position of the host from its last fixes.
///
/// Near a border, a coarse fix alone often does not determine on which side the host is, but several fixes
/// together do. The track is a filter that assumes a constant velocity with small random changes. The
/// variances along the north and east axes are equal. The result depends only on the fixes, their instants
/// and the activity.
struct PositionTrack: Sendable {
  /// The 95 % radius of a position, in standard deviations of one axis: √(−2 ln 0.05).
  private static let radiusInDeviations = 2.4477
  /// The smallest number of fixes with which the track can decide.
  private static let fewest = 3
  /// The longest time between two fixes of a track while the host can move.
  private static let longestGap = TimeSpan.minutes(2)
  /// The standard deviation of the velocity when the host begins to move, in metres per second.
  private static let startingSpeed = 1.5
  /// The increase of the variance of the velocity per second, in m²/s³. The value fits a walk with turns.
  private static let turning = 0.005
  /// The largest distance from the predicted position along one axis, in standard deviations. A fix at a
  /// larger distance begins a new track.
  private static let farthest = 3.0
  /// The least standard deviation of the track, as a share of the standard deviation of its last fix. More
  /// fixes do not reduce the deviation below this value, because the errors of successive fixes depend on
  /// each other.
  private static let least = 0.5

  /// The least distance to an edge at which the track decides, in standard deviations of the track. While the
  /// host moves, a late decision is worse than a less certain decision, so a smaller distance is enough.
  /// `coarse` applies to a circle whose radius is smaller than the deviation: the track can only decide that
  /// the host is outside of this circle.
  private static let margins = (still: 1.0, moving: 0.5, coarse: 2.0)

  /// The estimated position at the instant of the last fix.
  private var place: Coordinate
  /// The standard deviation of the position along one axis, in metres.
  private var deviation: Double
  private var velocity = (north: 0.0, east: 0.0)
  /// The variance of the position, its covariance with the velocity, and the variance of the velocity.
  private var variances: (place: Double, both: Double, velocity: Double)
  private var count = 1
  /// True when the host has not moved between the last two fixes.
  private var isStill = false
  private var last: Instant

  /// Begins a track with a fix and its 95 % radius in metres.
  init(_ place: Coordinate, radius: Double, at now: Instant) {
    self.place = place
    deviation = max(radius, 1) / Self.radiusInDeviations
    variances = (deviation * deviation, 0, Self.startingSpeed * Self.startingSpeed)
    last = now
  }

  /// Returns whether the host is inside a circle, given the radius in metres. Nil when the track has too few
  /// fixes, or the edge is nearer than `margins`.
  func isInside(circleOf radius: Double, around centre: Coordinate) -> Bool? {
    let margin = centre.distance(to: place) - radius
    let deviations =
      deviation > radius ? Self.margins.coarse : isStill ? Self.margins.still : Self.margins.moving
    return count >= Self.fewest && margin.magnitude > deviation * deviations ? margin < 0 : nil
  }

  /// Adds a fix with its 95 % radius in metres.
  ///
  /// - Parameter isStill: true when, according to its activity, the host has not moved since the last fix.
  mutating func add(_ fix: Coordinate, radius: Double, at now: Instant, isStill: Bool) {
    let elapsed = now - last
    guard elapsed > .zero, isStill || elapsed <= Self.longestGap else {
      if elapsed > .zero { self = PositionTrack(fix, radius: radius, at: now) }
      return
    }
    advance(by: elapsed.seconds, isStill: isStill)
    self.isStill = isStill
    let spread = max(radius, 1) / Self.radiusInDeviations
    let total = variances.place + spread * spread
    guard let offset = Self.offset(from: place, to: fix),
      max(offset.north.magnitude, offset.east.magnitude) <= Self.farthest * total.squareRoot()
    else {
      self = PositionTrack(fix, radius: radius, at: now)
      return
    }
    let (gain, turn) = (variances.place / total, variances.both / total)
    place = place.moved(north: gain * offset.north, east: gain * offset.east)
    velocity = (velocity.north + turn * offset.north, velocity.east + turn * offset.east)
    variances = (
      variances.place * (1 - gain), variances.both * (1 - gain), variances.velocity - turn * variances.both
    )
    deviation = max(variances.place.squareRoot(), Self.least * spread)
    count = min(count + 1, Self.fewest)
    last = now
  }

  /// Moves the estimate to a later instant, `seconds` after the last fix.
  private mutating func advance(by seconds: Double, isStill: Bool) {
    guard !isStill else {
      velocity = (0, 0)
      variances = (variances.place, 0, Self.startingSpeed * Self.startingSpeed)
      return
    }
    place = place.moved(north: velocity.north * seconds, east: velocity.east * seconds)
    let (both, speed) = (variances.both, variances.velocity)
    variances.place +=
      2 * seconds * both + seconds * seconds * speed + Self.turning * seconds * seconds * seconds / 3
    variances.both += seconds * speed + Self.turning * seconds * seconds / 2
    variances.velocity += Self.turning * seconds
  }

  /// Returns the metres north and east from one position to another; nil when the 180th meridian lies between
  /// them.
  private static func offset(
    from place: Coordinate, to fix: Coordinate
  ) -> (north: Double, east: Double)? {
    guard (fix.longitude - place.longitude).magnitude < 180,
      let corner = Coordinate(latitude: fix.latitude, longitude: place.longitude)
    else { return nil }
    let (north, east) = (place.distance(to: corner), corner.distance(to: fix))
    return (
      fix.latitude < place.latitude ? -north : north, fix.longitude < place.longitude ? -east : east
    )
  }
}
