import StintModel
import StintUnits

/// The state of one zone: the host is inside, it is outside, or this is unknown.
struct ZoneRecord: Sendable {
  /// The time for which the value of a `ZoneQuery` remains valid after the last fix.
  static let memory = TimeSpan.minutes(10)

  /// A factor for zones whose radius is smaller than the 95 % radius of a fix. A single fix decides that the
  /// host is outside of such a zone only when its distance from the edge exceeds this factor times the 95 %
  /// radius.
  ///
  /// With the factor 1, a host that rested for 2 h in a zone of 60 m radius was reported outside in 28 of 200
  /// trials. With 1.5, this happened in at most 12 trials (`SmallZoneTests`).
  private static let smallZoneFactor = 1.5

  /// The name of the zone as `POLICY/NAME`.
  let name: String
  let zone: Zone
  private var crossing: Crossing

  init(name: String, zone: Zone) {
    self.name = name
    self.zone = zone
    crossing = Crossing(enterAfter: zone.enterAfter, exitAfter: zone.exitAfter, memory: Self.memory)
  }

  var key: ZoneKey { ZoneKey(name: name, zone: zone) }

  /// Returns a copy whose last fix has the given instant; the state is unchanged.
  func seeing(_ fix: Instant) -> ZoneRecord {
    var record = self
    record.crossing.restore(isInside: crossing.isInside, candidate: crossing.candidate, lastFix: fix)
    return record
  }

  /// Returns whether this zone can be resting (see `ZoneField`) after the fix at this instant. This is the
  /// case for a circular zone that has processed the fix, whose state is outside, and for which no change is
  /// pending. Returns false for a beacon zone, and without a fix.
  func mayRest(since fix: Instant?) -> Bool {
    guard case .circle = zone.shape, let fix else { return false }
    return crossing.isInside == false && crossing.candidate == nil && crossing.pulse == nil
      && crossing.lastFix == fix
  }

  /// The state that survives a restart.
  var memory: GovernorMemory.Zone {
    .init(
      name: name, isInside: crossing.isInside, candidate: crossing.candidate?.isInside,
      since: crossing.candidate?.since, lastFix: crossing.lastFix)
  }

  mutating func restore(_ memory: GovernorMemory.Zone) {
    var candidate: Crossing.Candidate?
    if let isInside = memory.candidate, let since = memory.since {
      candidate = .init(isInside: isInside, since: since)
    }
    crossing.restore(isInside: memory.isInside, candidate: candidate, lastFix: memory.lastFix)
  }

  /// Creates the record of a zone after a reload. A zone at the same place keeps its state even when its
  /// radius or its delays have changed, so that rules act only when the host crosses the new border. When the
  /// radius or a delay has changed, a pending change begins again.
  init(name: String, zone: Zone, continuing former: ZoneRecord?) {
    self.init(name: name, zone: zone)
    guard let former, former.zone.hasSamePlace(as: zone) else { return }
    guard former.zone != zone else {
      crossing = former.crossing
      return
    }
    crossing.restore(
      isInside: former.crossing.isInside, candidate: nil, lastFix: former.crossing.lastFix)
  }

  /// The instant of the last fix that the zone processed; nil before the first fix.
  var lastFix: Instant? { crossing.lastFix }

  /// Processes a fix: its position and its 95 % radius in metres.
  ///
  /// - Parameter track: the estimate from the last fixes, which decides when the fix alone does not.
  mutating func ingest(_ place: Coordinate, radius: Double, _ track: PositionTrack, at now: Instant) {
    guard case .circle(let centre, let size) = zone.shape else { return }
    let distance = centre.distance(to: place)
    // One fix in twenty is farther from the true position than its radius. A zone that is smaller than this
    // radius needs a more certain exit, because it gets many such fixes while the host rests inside.
    let spread = size < radius && distance > size ? Self.smallZoneFactor * radius : radius
    let isDecidedByFix = distance + spread <= size || distance - spread > size
    if !isDecidedByFix, let isInside = track.isInside(circleOf: size, around: centre) {
      crossing.restore(isInside: crossing.isInside, candidate: crossing.candidate, lastFix: now)
      crossing.propose(isInside, at: now)
    } else {
      crossing.ingest(distance: distance, accuracy: spread, ofCircle: size, at: now)
    }
  }

  /// Processes the fact of a beacon: true when the beacon is in range.
  mutating func ingest(isReceived: Bool, at now: Instant) { crossing.propose(isReceived, at: now) }

  /// Keeps the query values valid until an instant although no fix arrives.
  mutating func keep(until instant: Instant) { crossing.keep(until: instant) }

  /// Advances the time: ends delays and invalidates old query values.
  mutating func advance(at now: Instant) { crossing.advance(at: now) }

  /// The crossing in the present step: entered or left; nil without a crossing.
  var pulse: ZoneQuery? { crossing.pulse }

  /// The next instant at which the zone changes without an event.
  var next: Instant { crossing.next }

  mutating func endPulse() { crossing.endPulse() }

  func answer(_ question: ZoneQuery) -> FactValue {
    switch question {
    case .inside, .heard: crossing.isInside.map(FactValue.boolean) ?? .unknown
    case .enter, .exit: .boolean(crossing.pulse == question)
    }
  }
}
