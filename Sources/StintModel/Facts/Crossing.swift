public import StintUnits

/// Whether something is inside a line or outside it, told by noisy signs: the machine behind zones and regions.
///
/// A sign that differs from what counts becomes true when it has lasted for the delay of its direction. Comings and
/// goings therefore alternate, however the signs jitter. The first answer of all is no coming and no going.
public struct Crossing: Hashable, Sendable {
  /// What fixes or signals say since when, while it differs from what counts.
  public struct Candidate: Hashable, Sendable {
    public var isInside: Bool
    public var since: Instant

    /// Makes a candidate.
    public init(isInside: Bool, since: Instant) {
      self.isInside = isInside
      self.since = since
    }
  }

  /// How long one must be inside before it counts.
  public let enterAfter: TimeSpan
  /// How long one must be outside before it counts.
  public let exitAfter: TimeSpan
  /// How long an answer outlives the last fix; unlimited when it stands until another comes.
  public let memory: TimeSpan
  public private(set) var isInside: Bool?
  public private(set) var candidate: Candidate?
  public private(set) var lastFix: Instant?
  /// Until when the answer remains valid although no fix came.
  private var keptUntil = Instant.epoch
  /// Whether it just came to be inside, or outside; until `endPulse`.
  public private(set) var pulse: ZoneQuestion?

  /// A crossing of which nothing is known yet.
  public init(enterAfter: TimeSpan, exitAfter: TimeSpan, memory: TimeSpan) {
    self.enterAfter = enterAfter
    self.exitAfter = exitAfter
    self.memory = memory
  }

  /// Takes up what was known before a restart.
  public mutating func restore(isInside: Bool?, candidate: Candidate?, lastFix: Instant?) {
    self.isInside = isInside
    self.candidate = candidate
    self.lastFix = lastFix
  }

  /// Takes a fix, so far from the centre and with this 95 % radius, as to a circle.
  ///
  /// A fix decides only what it can: one whose radius reaches over the edge changes nothing of what counts. It ends a
  /// candidate that it does not at least lean to, though, if it is fine enough to know: along the rim nothing lasts.
  public mutating func ingest(
    distance: Double, accuracy: Double, ofCircle radius: Double, at now: Instant
  ) {
    lastFix = now
    if distance + accuracy <= radius {
      propose(true, at: now)
    } else if distance - accuracy > radius {
      propose(false, at: now)
    } else if accuracy < radius, let candidate {
      let lean = accuracy / 2
      let leansToIt = candidate.isInside ? distance + lean <= radius : distance - lean > radius
      if !leansToIt { self.candidate = nil }
    }
  }

  /// Takes a sign that leaves no doubt.
  public mutating func propose(_ isInside: Bool, at now: Instant) {
    guard self.isInside != isInside else {
      candidate = nil
      return
    }
    if candidate?.isInside != isInside { candidate = Candidate(isInside: isInside, since: now) }
    advance(at: now)
  }

  /// Keeps the answer until an instant although no fix comes.
  public mutating func keep(until instant: Instant) { keptUntil = max(keptUntil, instant) }

  /// Lets time pass: delays end, answers are forgotten.
  public mutating func advance(at now: Instant) {
    if let candidate, candidate.since + delay(candidate.isInside) <= now {
      // What was unknown before is no coming and no going.
      if isInside != nil { pulse = candidate.isInside ? .enter : .exit }
      isInside = candidate.isInside
      self.candidate = nil
    }
    if let lastFix, memory < .unlimited, max(lastFix + memory, keptUntil) <= now { forget() }
  }

  /// Nothing is known any more; what comes next is no coming and no going.
  public mutating func forget() {
    isInside = nil
    candidate = nil
    lastFix = nil
  }

  /// When it changes by itself.
  public var next: Instant {
    var next = Instant.distantFuture
    if let candidate { next = candidate.since + delay(candidate.isInside) }
    if let lastFix, memory < .unlimited {
      next = min(next, max(lastFix + memory, keptUntil))
    }
    return next
  }

  /// What was true for a moment is over.
  public mutating func endPulse() { pulse = nil }

  private func delay(_ isInside: Bool) -> TimeSpan { isInside ? enterAfter : exitAfter }
}
