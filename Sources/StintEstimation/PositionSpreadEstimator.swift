public import StintModel
public import StintUnits

/// The position spread is the largest distance between two positions of one device within a time window.
///
/// Consecutive positions within a twentieth of the window form a group, and the group is replaced by its
/// mean. The means reduce noise and limit memory to a few dozen groups. The spread is known when positions
/// cover the whole window: one position must be at the beginning of the window or earlier. So the spread is
/// also known when the window contains only one position: it is compared with the position at the beginning
/// or earlier.
public struct PositionSpreadEstimator: Estimator {
  /// Consecutive positions within a twentieth of the window.
  private struct Group: Hashable, Sendable {
    let first: Instant
    var last: Instant
    let origin: Coordinate
    var count = 0.0
    /// The sums of the differences from `origin`, in degrees.
    var north = 0.0
    var east = 0.0

    var middle: Coordinate {
      Coordinate(latitude: origin.latitude + north / count, longitude: origin.longitude + east / count)
        ?? origin
    }
  }

  /// The number of groups per window. A group of a ten-minute window averages the noise of half a minute.
  private static let groupsInWindow: Int64 = 20

  let window: TimeSpan
  private let latitude: Int
  private let longitude: Int
  private var groups: [Group] = []
  /// The publication instant of the last read position.
  private var seenAt = Instant(nanoseconds: .min)

  /// Makes the estimator of a device.
  ///
  /// - Returns: nil when the device publishes no position.
  public init?(_ device: DeviceID, window: TimeSpan, in vocabulary: Vocabulary) {
    guard let latitude = vocabulary.fact(device.path + ".latitude"),
      let longitude = vocabulary.fact(device.path + ".longitude")
    else { return nil }
    self.window = window
    self.latitude = latitude
    self.longitude = longitude
  }

  public var facts: [Int] { [longitude] }

  public func continuing(_ former: PositionSpreadEstimator) -> PositionSpreadEstimator {
    former.window == window && former.latitude == latitude && former.longitude == longitude ? former : self
  }

  /// Does nothing: deliveries do not change the positions.
  public mutating func delivers(at now: Instant) {}

  public mutating func read(_ facts: FactTable, isOn: Bool, at now: Instant) {
    let publishedAt = facts.instant(longitude)
    if publishedAt > seenAt, case .number(let north) = facts.value(latitude),
      case .number(let east) = facts.value(longitude),
      let place = Coordinate(latitude: north, longitude: east)
    {
      seenAt = publishedAt
      add(place, at: publishedAt)
    }
    let start = now - window
    while groups.count > 1, groups[1].first <= start || groups[0].last < start - window {
      groups.removeFirst()
    }
    if groups.count == 1, groups[0].last < start - window { groups.removeAll(keepingCapacity: true) }
  }

  private mutating func add(_ place: Coordinate, at instant: Instant) {
    let length = TimeSpan(nanoseconds: window.nanoseconds / Self.groupsInWindow)
    if groups.last.map({ instant - $0.first >= length }) ?? true {
      groups.append(Group(first: instant, last: instant, origin: place))
    }
    let last = groups.count - 1
    groups[last].last = instant
    groups[last].count += 1
    groups[last].north += place.latitude - groups[last].origin.latitude
    groups[last].east += place.longitude - groups[last].origin.longitude
  }

  /// Returns the spread in metres; unknown until positions cover the window, and when the window contains no
  /// position.
  public func value(at now: Instant) -> FactValue {
    let start = now - window
    guard let first = groups.first, first.first <= start, let last = groups.last, last.last > start else {
      return .unknown
    }
    var spread = 0.0
    let middles = groups.map(\.middle)
    for (place, left) in middles.enumerated() {
      for right in middles.dropFirst(place + 1) { spread = max(spread, left.distance(to: right)) }
    }
    return .number(spread)
  }

  /// Returns the next instant at which a group begins to leave the window or has left it completely.
  public func next(after now: Instant) -> Instant {
    var next = Instant.distantFuture
    for group in groups {
      for instant in [group.first + window, group.last + window] where instant > now {
        next = min(next, instant)
      }
    }
    return next
  }
}
