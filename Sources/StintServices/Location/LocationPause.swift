import StintUnits

/// A pause, with its way back: cheap sensors tell of movement, and the position is looked at now and then whatever they
/// say.
struct LocationPause: Hashable, Sendable {
  /// What is known of movement.
  enum Motion: Hashable, Sendable {
    /// Nothing yet.
    case unheard
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
  private(set) var wanders = false
  private(set) var isLooking = false
  /// When a look begins, or ends without a fix.
  private(set) var next: Instant

  init(at place: Coordinate, reach: Double, isWatched: Bool, at instant: Instant) {
    self.place = place
    self.reach = reach
    motion = isWatched ? .unheard : .unwatched
    next = instant
    plan(at: instant)
  }

  /// Takes in whether something moves; true when that ends the pause.
  mutating func take(isMoving: Bool, at instant: Instant) -> Bool {
    let before = motion
    motion = isMoving ? .moving : .quiet
    guard isMoving, before != .moving else { return false }
    if before == .quiet, !wanders { return true }
    // It moves as it did when it paused, or does so again.
    wanders = true
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
    let isCalm = motion == .quiet || motion == .unheard
    next = instant + (isCalm ? LocationDefaults.lookAnyway : LocationDefaults.lookWhileMoving)
  }
}
