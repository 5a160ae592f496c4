import StintModel
import StintUnits

/// Detects visits from rest, movement and position probes. A tracker is a value that reports when it needs
/// a position.
struct VisitTracker: Hashable, Sendable, Codable {
  enum Event: Hashable, Sendable {
    case arrived(Visit)
    case departed(Visit)
  }

  /// A place that the host has visited, with the number of visits.
  struct VisitedPlace: Hashable, Sendable, Codable {
    var place: Coordinate
    var visits: Int
  }

  /// The shortest stay that counts as a visit.
  static let dwell = TimeSpan.minutes(5)
  /// The shortest stay at a known place that counts as a visit.
  static let knownDwell = TimeSpan.minutes(2)
  /// The number of visits from which a place counts as known.
  static let often = 3
  /// The largest distance in metres between two positions of one place. The accuracy radius of the new
  /// position is added to this distance.
  static let spread = 150.0
  /// The time from the beginning of movement to the probe that checks for a departure.
  static let departureCheck = TimeSpan.minutes(3)
  /// The longest duration of a movement that is ignored.
  static let shortestMovement = TimeSpan.seconds(20)
  /// The largest number of remembered places.
  static let maxPlaces = 50
  /// The time between two probes during rest. These probes detect movement that the motion sensor missed.
  static let atRest = TimeSpan.hours(6)

  /// The current visit; nil between visits.
  private(set) var visit: Visit?
  private(set) var known: [VisitedPlace] = []
  private var restSince: Instant?
  private var movesSince: Instant?
  /// The instant to report as the departure from the current visit. It is the start of the movement, or the
  /// last probe within the place. Nil before any movement.
  private var leftAt: Instant?
  private(set) var nextProbe = Instant.distantFuture

  /// Rest and movement are detected again after a restart, so they are not saved.
  enum CodingKeys: String, CodingKey { case visit, known }

  /// Records that the host began to move or to rest at an instant.
  mutating func note(isMoving: Bool, at instant: Instant) {
    if isMoving {
      movesSince = instant
      leftAt = leftAt ?? instant
      nextProbe = visit == nil ? .distantFuture : instant + Self.departureCheck
      return
    }
    if let movesSince, let restSince, instant - movesSince <= Self.shortestMovement {
      // The movement was too short to count.
      if leftAt == movesSince { leftAt = nil }
      self.movesSince = nil
      nextProbe = max(instant, restSince + shortestDwell)
      return
    }
    movesSince = nil
    restSince = instant
    nextProbe = instant + shortestDwell
  }

  private var shortestDwell: TimeSpan {
    known.contains { $0.visits >= Self.often } ? Self.knownDwell : Self.dwell
  }

  /// Schedules another probe after a failed probe.
  mutating func retry(at instant: Instant) { nextProbe = instant }

  /// Processes a position and returns the resulting events.
  mutating func ingest(_ fix: Fix, at instant: Instant) -> [Event] {
    if let movesSince { return check(fix, movingSince: movesSince, at: instant) }
    guard var restSince else {
      nextProbe = .distantFuture
      return []
    }
    var events: [Event] = []
    if let visit, !isThere(fix, visit) {
      // When movement sensing missed the departure, it also reported no rest after the arrival. The rest at
      // the new place then begins at the present instant. This instant is also the departure, unless the
      // start of the movement is known.
      if restSince <= visit.arrival {
        restSince = instant
        self.restSince = instant
      }
      events.append(depart(visit, at: leftAt ?? restSince))
    }
    if visit != nil {
      leftAt = nil
      nextProbe = instant + Self.atRest
      return events
    }
    let dwelt = instant - restSince
    guard dwelt >= Self.dwell || (dwelt >= Self.knownDwell && isKnown(fix)) else {
      nextProbe = restSince + Self.dwell
      return events
    }
    let arrived = Visit(place: fix.coordinate, accuracy: fix.accuracy, arrival: restSince)
    visit = arrived
    leftAt = nil
    remember(fix)
    nextProbe = instant + Self.atRest
    events.append(.arrived(arrived))
    return events
  }

  private mutating func check(_ fix: Fix, movingSince: Instant, at instant: Instant) -> [Event] {
    guard let visit else {
      nextProbe = .distantFuture
      return []
    }
    if isThere(fix, visit) {
      // Walking within the place is not a departure yet.
      if visit.place.distance(to: fix.coordinate) <= Self.spread { leftAt = instant }
      nextProbe = instant + Self.dwell
      return []
    }
    nextProbe = .distantFuture
    return [depart(visit, at: leftAt ?? movingSince)]
  }

  private mutating func depart(_ visit: Visit, at instant: Instant) -> Event {
    var ended = visit
    ended.departure = max(instant, ended.arrival)
    self.visit = nil
    leftAt = nil
    return .departed(ended)
  }

  private func isThere(_ fix: Fix, _ visit: Visit) -> Bool {
    visit.place.distance(to: fix.coordinate) <= Self.spread + fix.accuracy
  }

  private func isKnown(_ fix: Fix) -> Bool {
    known.contains {
      $0.visits >= Self.often && $0.place.distance(to: fix.coordinate) <= Self.spread + fix.accuracy
    }
  }

  private mutating func remember(_ fix: Fix) {
    if let place = known.firstIndex(where: {
      $0.place.distance(to: fix.coordinate) <= Self.spread + fix.accuracy
    }) {
      known[place].visits = known[place].visits.addingSaturated(1)
      return
    }
    if known.count == Self.maxPlaces,
      let least = known.indices.min(by: { known[$0].visits < known[$1].visits })
    {
      known.remove(at: least)
    }
    known.append(VisitedPlace(place: fix.coordinate, visits: 1))
  }
}
