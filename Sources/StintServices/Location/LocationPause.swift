import StintUnits

/// A pause of updates. Low-power sensors detect movement, and position probes check the
/// position periodically.
struct LocationPause: Hashable, Sendable {
  /// The known state of movement.
  enum Motion: Hashable, Sendable {
    /// The device that reports movement has not reported yet.
    case unknown
    case quiet
    case moving
    /// No device that reports movement is available.
    case unwatched
  }

  /// The rest position.
  let place: Coordinate
  /// The distance from the rest position in metres beyond which updates resume.
  let reach: Double
  var motion: Motion
  /// True when the host moves without changing position, as on a boat at anchor. Movement alone then does not
  /// end the pause.
  private(set) var isMovingInPlace = false
  /// True during a position probe.
  private(set) var isProbing = false
  /// The instant at which the next probe begins or, during a probe, at which the probe ends without a fix.
  private(set) var next: Instant

  init(at place: Coordinate, reach: Double, isWatched: Bool, at instant: Instant) {
    self.place = place
    self.reach = reach
    motion = isWatched ? .unknown : .unwatched
    next = instant
    plan(at: instant)
  }

  /// Processes a report of movement. Returns true when the movement ends the pause.
  mutating func ingest(isMoving: Bool, at instant: Instant) -> Bool {
    let before = motion
    motion = isMoving ? .moving : .quiet
    guard isMoving, before != .moving else { return false }
    if before == .quiet, !isMovingInPlace { return true }
    // Either the host moved already when the pause began, or movement in place begins again.
    isMovingInPlace = true
    if !isProbing {
      next = before == .quiet ? instant : min(next, instant + LocationDefaults.movingProbePeriod)
    }
    return false
  }

  /// Records that the device that reports movement is no longer available.
  mutating func lose(at instant: Instant) {
    motion = .unwatched
    if !isProbing { next = min(next, instant + LocationDefaults.movingProbePeriod) }
  }

  /// Begins a probe, or ends a probe without a fix.
  mutating func fire(at instant: Instant) {
    guard instant >= next else { return }
    if isProbing {
      plan(at: instant)
    } else {
      isProbing = true
      next = instant + LocationDefaults.longestProbe
    }
  }

  /// Processes the position that a probe found. Returns true when the host has left the rest position.
  mutating func found(_ found: Coordinate, radius: Double, at instant: Instant) -> Bool {
    if place.distance(to: found) > max(reach, 2 * radius) { return true }
    plan(at: instant)
    return false
  }

  private mutating func plan(at instant: Instant) {
    isProbing = false
    let isCalm = motion == .quiet || motion == .unknown
    next = instant + (isCalm ? LocationDefaults.longestUncheckedPause : LocationDefaults.movingProbePeriod)
  }
}

/// A detector of rest: it checks whether recent fixes satisfy a pause rule. Fixes within a twentieth of the
/// rule's window are averaged in one group, which reduces noise.
struct StillnessWatch: Sendable {
  /// Consecutive fixes within a twentieth of the window's time.
  private struct Group {
    var first: Instant
    var origin: Coordinate
    var count = 0
    /// The sums of the differences from `origin`, in degrees.
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

  /// The number of groups per window.
  private static let groupsInWindow: Int64 = 20

  private(set) var rule: PauseRule
  private var groups: [Group] = []

  init(_ rule: PauseRule) { self.rule = rule }

  /// Uses this rule from now on. The existing groups of fixes are kept.
  mutating func follow(_ rule: PauseRule) { self.rule = rule }

  /// Removes all fixes.
  mutating func restart() { groups.removeAll(keepingCapacity: true) }

  /// Adds a position; positions arrive in order of time.
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

  /// Returns the rest position when the rule is satisfied during the whole window that ends now;
  /// nil otherwise.
  func restPosition(at instant: Instant) -> Coordinate? {
    guard let first = groups.first, instant - first.first >= rule.window else { return nil }
    let start = first.middle
    for group in groups.dropFirst() {
      guard start.distance(to: group.middle) <= limit(first, group) else { return nil }
    }
    return start
  }

  /// Returns the largest distance in metres between two groups that still counts as one position.
  private func limit(_ left: Group, _ right: Group) -> Double {
    guard rule.reach == 0 else { return rule.reach }
    // A quarter of the radius covers the errors that are common to all fixes. The second term covers random
    // errors after averaging.
    let count = Double(min(left.count, right.count))
    return max(left.radius, right.radius) * (0.25 + 1.5 / count.squareRoot())
  }
}
