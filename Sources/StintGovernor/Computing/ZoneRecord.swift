import StintModel
import StintUnits

/// Where the phone is as to one zone: inside, outside, or nothing known.
///
/// A fix decides only what it can: one whose radius reaches over the zone's edge changes nothing. What was decided
/// stands until a fix says something else, or for `memory` without any fix.
struct ZoneRecord: Sendable {
  /// How long an answer outlives the last fix.
  static let memory = TimeSpan.minutes(10)

  /// `POLICY/NAME`.
  private(set) var name: String
  let zone: Zone
  private(set) var isInside: Bool?
  /// What fixes say since when, while it differs from what counts.
  private var candidate: (isInside: Bool, since: Instant)?
  private var lastFix: Instant?
  /// Whether it just came to be inside, or outside.
  private(set) var pulse: ZoneQuestion?

  init(name: String, zone: Zone) {
    self.name = name
    self.zone = zone
  }

  /// Whether the other record is about the same zone of the same policy.
  func isAbout(_ other: ZoneRecord) -> Bool { name == other.name && zone == other.zone }

  /// What outlives the process.
  var memory: GovernorMemory.Zone {
    .init(
      name: name, isInside: isInside, candidate: candidate?.isInside, since: candidate?.since,
      lastFix: lastFix)
  }

  mutating func recall(_ memory: GovernorMemory.Zone) {
    isInside = memory.isInside
    lastFix = memory.lastFix
    if let isInside = memory.candidate, let since = memory.since { candidate = (isInside, since) }
  }

  /// The same under another name.
  func named(_ name: String) -> ZoneRecord {
    var record = self
    record.name = name
    return record
  }

  /// Takes a fix: a place and its 95 % radius.
  mutating func take(_ place: Coordinate, radius: Double, at now: Instant) {
    guard case .circle(let centre, let size) = zone.shape else { return }
    lastFix = now
    let distance = centre.distance(to: place)
    if distance + radius <= size {
      propose(true, at: now)
    } else if distance - radius > size {
      propose(false, at: now)
    }
  }

  /// Takes whether the beacon is heard.
  mutating func take(isHeard: Bool, at now: Instant) { propose(isHeard, at: now) }

  private mutating func propose(_ isInside: Bool, at now: Instant) {
    guard self.isInside != isInside else {
      candidate = nil
      return
    }
    if candidate?.isInside != isInside { candidate = (isInside, now) }
    settle(at: now)
  }

  /// Lets time pass: delays end, answers are forgotten.
  mutating func settle(at now: Instant) {
    if let candidate, candidate.since + delay(candidate.isInside) <= now {
      // What was unknown before is no coming and no going.
      if isInside != nil { pulse = candidate.isInside ? .enter : .exit }
      isInside = candidate.isInside
      self.candidate = nil
    }
    if let lastFix, lastFix + Self.memory <= now {
      isInside = nil
      candidate = nil
      self.lastFix = nil
    }
  }

  /// When it changes by itself.
  var next: Instant {
    var next = Instant.distantFuture
    if let candidate { next = candidate.since + delay(candidate.isInside) }
    if let lastFix { next = min(next, lastFix + Self.memory) }
    return next
  }

  private func delay(_ isInside: Bool) -> TimeSpan { isInside ? zone.enterAfter : zone.exitAfter }

  mutating func endPulse() { pulse = nil }

  func answer(_ question: ZoneQuestion) -> FactValue {
    switch question {
    case .inside, .heard: isInside.map(FactValue.boolean) ?? .unknown
    case .enter, .exit: .boolean(pulse == question)
    }
  }
}
