import StintModel
import StintUnits

/// Where the phone is as to one zone: inside, outside, or nothing known.
struct ZoneRecord: Sendable {
  /// How long an answer outlives the last fix.
  static let memory = TimeSpan.minutes(10)

  /// `POLICY/NAME`.
  private(set) var name: String
  let zone: Zone
  private var crossing: Crossing

  init(name: String, zone: Zone) {
    self.name = name
    self.zone = zone
    crossing = Crossing(enterAfter: zone.enterAfter, exitAfter: zone.exitAfter, memory: Self.memory)
  }

  var key: ZoneKey { ZoneKey(name: name, zone: zone) }

  /// The same after a fix that changed nothing else.
  func seeing(_ fix: Instant) -> ZoneRecord {
    var record = self
    record.crossing.restore(isInside: crossing.isInside, candidate: crossing.candidate, lastFix: fix)
    return record
  }

  /// Whether the phone is outside for certain, as of the last fix, and nothing is under way.
  func mayRest(since fix: Instant?) -> Bool {
    guard case .circle = zone.shape, let fix else { return false }
    return crossing.isInside == false && crossing.candidate == nil && crossing.pulse == nil
      && crossing.lastFix == fix
  }

  /// What outlives the process.
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

  /// The same under another name.
  func named(_ name: String) -> ZoneRecord {
    var record = self
    record.name = name
    return record
  }

  /// When the last fix came that it took.
  var lastFix: Instant? { crossing.lastFix }

  /// Takes a fix: a place and its 95 % radius.
  mutating func ingest(_ place: Coordinate, radius: Double, at now: Instant) {
    guard case .circle(let centre, let size) = zone.shape else { return }
    crossing.ingest(distance: centre.distance(to: place), accuracy: radius, ofCircle: size, at: now)
  }

  /// Takes whether the beacon is heard.
  mutating func ingest(isReceived: Bool, at now: Instant) { crossing.propose(isReceived, at: now) }

  /// Keeps the answer until an instant although no fix comes.
  mutating func keep(until instant: Instant) { crossing.keep(until: instant) }

  /// Lets time pass: delays end, answers are forgotten.
  mutating func advance(at now: Instant) { crossing.advance(at: now) }

  /// Whether it just came to be inside, or outside.
  var pulse: ZoneQuestion? { crossing.pulse }

  /// When it changes by itself.
  var next: Instant { crossing.next }

  mutating func endPulse() { crossing.endPulse() }

  func answer(_ question: ZoneQuestion) -> FactValue {
    switch question {
    case .inside, .heard: crossing.isInside.map(FactValue.boolean) ?? .unknown
    case .enter, .exit: .boolean(crossing.pulse == question)
    }
  }
}
