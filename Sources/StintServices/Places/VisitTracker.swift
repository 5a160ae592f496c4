import StintModel
import StintUnits

/// Makes visits out of rests and looks: a pure machine that says when it wants to know the place.
struct VisitTracker: Hashable, Sendable {
  enum Event: Hashable, Sendable {
    case arrived(Visit)
    case departed(Visit)
  }

  /// A place that was visited before.
  struct VisitedPlace: Hashable, Sendable {
    var place: Coordinate
    var visits: Int
  }

  /// How long one stays somewhere before it is a visit.
  static let dwell = TimeSpan.minutes(5)
  /// How long at a place that was visited often.
  static let knownDwell = TimeSpan.minutes(2)
  /// How many visits make a place known.
  static let often = 3
  /// How far two positions of one place may be apart, beside their own errors.
  static let spread = 150.0
  /// How long after setting out it looks whether the place is left.
  static let departureCheck = TimeSpan.minutes(3)
  /// What moves for no longer than this has not moved.
  static let shortestMovement = TimeSpan.seconds(20)
  /// How many places it remembers.
  static let maxPlaces = 50
  /// How often it looks during a rest, should the sense of movement have failed.
  static let atRest = TimeSpan.hours(6)

  private(set) var visit: Visit?
  private(set) var known: [VisitedPlace] = []
  private var restSince: Instant?
  private var movesSince: Instant?
  /// When the visit was left, if it was.
  private var leftAt: Instant?
  private(set) var nextProbe = Instant.distantFuture

  /// The phone is carried about, or rests, since this instant.
  mutating func note(isMoving: Bool, at instant: Instant) {
    if isMoving {
      movesSince = instant
      leftAt = leftAt ?? instant
      nextProbe = visit == nil ? .distantFuture : instant + Self.departureCheck
      return
    }
    if let movesSince, let restSince, instant - movesSince <= Self.shortestMovement {
      // It was only touched.
      if leftAt == movesSince { leftAt = nil }
      self.movesSince = nil
      nextProbe = max(instant, restSince + firstDwell)
      return
    }
    movesSince = nil
    restSince = instant
    nextProbe = instant + firstDwell
  }

  private var firstDwell: TimeSpan {
    known.contains { $0.visits >= Self.often } ? Self.knownDwell : Self.dwell
  }

  /// Nothing could be seen; it wants to look again.
  mutating func retry(at instant: Instant) { nextProbe = instant }

  /// Takes a position, and says what it means.
  mutating func ingest(_ fix: PositionFix, at instant: Instant) -> [Event] {
    if let movesSince { return check(fix, movingSince: movesSince, at: instant) }
    guard var restSince else {
      nextProbe = .distantFuture
      return []
    }
    var events: [Event] = []
    if let visit, !isThere(fix, visit) {
      // Movement sensing missed this departure: date it, and the rest here, at its detection.
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
    let arrived = Visit(place: fix.place, accuracy: fix.accuracy, arrival: restSince)
    visit = arrived
    leftAt = nil
    remember(fix)
    nextProbe = instant + Self.atRest
    events.append(.arrived(arrived))
    return events
  }

  private mutating func check(_ fix: PositionFix, movingSince: Instant, at instant: Instant) -> [Event] {
    guard let visit else {
      nextProbe = .distantFuture
      return []
    }
    if isThere(fix, visit) {
      // Walking within the place is no departure yet.
      if visit.place.distance(to: fix.place) <= Self.spread { leftAt = instant }
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

  private func isThere(_ fix: PositionFix, _ visit: Visit) -> Bool {
    visit.place.distance(to: fix.place) <= Self.spread + fix.accuracy
  }

  private func isKnown(_ fix: PositionFix) -> Bool {
    known.contains {
      $0.visits >= Self.often && $0.place.distance(to: fix.place) <= Self.spread + fix.accuracy
    }
  }

  private mutating func remember(_ fix: PositionFix) {
    if let place = known.firstIndex(where: {
      $0.place.distance(to: fix.place) <= Self.spread + fix.accuracy
    }) {
      known[place].visits = known[place].visits.addingSaturated(1)
      return
    }
    if known.count == Self.maxPlaces,
      let least = known.indices.min(by: { known[$0].visits < known[$1].visits })
    {
      known.remove(at: least)
    }
    known.append(VisitedPlace(place: fix.place, visits: 1))
  }

  /// Takes up what was known before a restart.
  mutating func restore(visit: Visit?, known: [VisitedPlace]) {
    self.visit = visit
    self.known = known
  }
}
