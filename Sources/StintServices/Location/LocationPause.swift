import StintUnits

/// A pause, with its way back: cheap sensors tell of movement, and the position is looked at now and then whatever they
/// say.
struct LocationPause: Hashable, Sendable {
  /// What is known of movement.
  enum Motion: Hashable, Sendable {
    /// Nothing yet.
    case unknown
    case quiet
    case moving
    /// No device reports movement.
    case unwatched
  }

  /// Where it rests, and how far from there it has left.
  let place: Coordinate
  let reach: Double
  var motion: Motion
  /// Whether something moved while the position stayed: a walk on the spot, a boat at its anchor. Movement alone
  /// means nothing then.
  private(set) var isMovingInPlace = false
  private(set) var isLooking = false
  /// When a look begins, or ends without a fix.
  private(set) var next: Instant

  init(at place: Coordinate, reach: Double, isWatched: Bool, at instant: Instant) {
    self.place = place
    self.reach = reach
    motion = isWatched ? .unknown : .unwatched
    next = instant
    plan(at: instant)
  }

  /// Takes in whether something moves; true when that ends the pause.
  mutating func ingest(isMoving: Bool, at instant: Instant) -> Bool {
    let before = motion
    motion = isMoving ? .moving : .quiet
    guard isMoving, before != .moving else { return false }
    if before == .quiet, !isMovingInPlace { return true }
    // It moves as it did when it paused, or does so again.
    isMovingInPlace = true
    if !isLooking {
      next = before == .quiet ? instant : min(next, instant + LocationDefaults.lookWhileMoving)
    }
    return false
  }

  /// Handles the loss of the device that reports movement.
  mutating func lose(at instant: Instant) {
    motion = .unwatched
    if !isLooking { next = min(next, instant + LocationDefaults.lookWhileMoving) }
  }

  /// Begins a look, or ends one that found nothing.
  mutating func ring(at instant: Instant) {
    guard instant >= next else { return }
    if isLooking {
      plan(at: instant)
    } else {
      isLooking = true
      next = instant + LocationDefaults.longestLook
    }
  }

  /// A look found this place; true when it has left.
  mutating func found(_ found: Coordinate, radius: Double, at instant: Instant) -> Bool {
    if place.distance(to: found) > max(reach, 2 * radius) { return true }
    plan(at: instant)
    return false
  }

  private mutating func plan(at instant: Instant) {
    isLooking = false
    let isCalm = motion == .quiet || motion == .unknown
    next = instant + (isCalm ? LocationDefaults.longestUncheckedPause : LocationDefaults.lookWhileMoving)
  }
}

/// Watches fixes for a pause rule. Noise is taken out by joining fixes of a twentieth of the window.
struct StillnessWatch: Sendable {
  /// Fixes that were taken soon after each other.
  private struct Group {
    var first: Instant
    var origin: Coordinate
    var count = 0
    /// Sums of the distances from `origin`, in degrees.
    var north = 0.0
    var east = 0.0
    var radii = 0.0

    mutating func add(_ place: Coordinate, _ radius: Double) {
      count += 1
      north += place.latitude - origin.latitude
      east += place.longitude - origin.longitude
      radii += radius
    }

    var middle: Coordinate {
      Coordinate(
        latitude: origin.latitude + north / Double(count), longitude: origin.longitude + east / Double(count))
        ?? origin
    }
    var radius: Double { radii / Double(count) }
  }

  /// How many groups a window has.
  private static let groupsInWindow: Int64 = 20

  private(set) var rule: PauseRule
  private var groups: [Group] = []

  init(_ rule: PauseRule) { self.rule = rule }

  /// From now on another rule holds for what was seen; what the old rule has joined stays joined.
  mutating func follow(_ rule: PauseRule) { self.rule = rule }

  /// Forgets all.
  mutating func restart() { groups.removeAll(keepingCapacity: true) }

  /// Takes in where it is; fixes come in the order of time.
  mutating func add(_ place: Coordinate, radius: Double, at instant: Instant) {
    let length = TimeSpan(nanoseconds: rule.window.nanoseconds / Self.groupsInWindow)
    if let last = groups.last, instant - last.first < length {
      groups[groups.count - 1].add(place, radius)
    } else {
      groups.append(Group(first: instant, origin: place))
      groups[groups.count - 1].add(place, radius)
    }
    while groups.count > 1, groups[1].first <= instant - rule.window { groups.removeFirst() }
  }

  /// Where it rests, when the rule says that it rests all through the window that ends now.
  func restPosition(at instant: Instant) -> Coordinate? {
    guard let first = groups.first, instant - first.first >= rule.window else { return nil }
    let start = first.middle
    for group in groups.dropFirst() {
      guard start.distance(to: group.middle) <= limit(first, group) else { return nil }
    }
    return start
  }

  /// How far two groups may lie apart for the position to count as the same.
  private func limit(_ left: Group, _ right: Group) -> Double {
    guard rule.reach == 0 else { return rule.reach }
    // A quarter of the radius for errors that many fixes share, and what chance leaves after joining these.
    let count = Double(min(left.count, right.count))
    return max(left.radius, right.radius) * (0.25 + 1.5 / count.squareRoot())
  }
}
