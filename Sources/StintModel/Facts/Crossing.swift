public import StintUnits

/// Decides from noisy observations whether the host is inside or outside an area. Zones and regions use it.
///
/// When observations contradict the current state for `enterAfter` or `exitAfter`, the observed state becomes
/// the current state. While the state stays known, entries and exits therefore alternate, however noisy the
/// observations are. The first known state counts as neither entry nor exit.
public struct Crossing: Hashable, Sendable {
  /// An observed state that differs from the current state, and the time of its first observation.
  public struct Candidate: Hashable, Sendable {
    /// Whether the observed state is inside.
    public var isInside: Bool
    /// The instant of the first observation.
    public var since: Instant

    /// Makes a candidate.
    public init(isInside: Bool, since: Instant) {
      self.isInside = isInside
      self.since = since
    }
  }

  /// How long the host must be inside before it counts as inside.
  public let enterAfter: TimeSpan
  /// How long the host must be outside before it counts as outside.
  public let exitAfter: TimeSpan
  /// How long the state stays known after the last fix; unlimited when the state never expires.
  public let memory: TimeSpan
  /// The current state; nil while it is unknown.
  public private(set) var isInside: Bool?
  /// The contradicting state that waits for its delay; nil without such a state.
  public private(set) var candidate: Candidate?
  /// The instant of the last fix; nil before the first fix, and after `forget`.
  public private(set) var lastFix: Instant?
  /// The instant until which the state remains known although no fix arrived.
  private var knownUntil = Instant.epoch
  /// The entry or exit of the current step, until `endPulse`; nil without a crossing.
  public private(set) var pulse: ZoneQuery?

  /// Makes a crossing with an unknown state.
  public init(enterAfter: TimeSpan, exitAfter: TimeSpan, memory: TimeSpan) {
    self.enterAfter = enterAfter
    self.exitAfter = exitAfter
    self.memory = memory
  }

  /// Restores the state from before a restart.
  public mutating func restore(isInside: Bool?, candidate: Candidate?, lastFix: Instant?) {
    self.isInside = isInside
    self.candidate = candidate
    self.lastFix = lastFix
  }

  /// Processes a fix at a distance from the centre of a circle, with its 95 % radius; all in metres.
  ///
  /// A fix whose 95 % circle crosses the edge of the area never changes the state. Such a fix ends the
  /// candidate if two conditions are true. (1) The 95 % radius is smaller than the area's radius. (2) A
  /// circle around the fix with half of the 95 % radius is not completely on the candidate's side of the
  /// edge.
  public mutating func ingest(
    distance: Double, accuracy: Double, ofCircle radius: Double, at now: Instant
  ) {
    lastFix = now
    if distance + accuracy <= radius {
      propose(true, at: now)
    } else if distance - accuracy > radius {
      propose(false, at: now)
    } else if accuracy < radius, let candidate {
      let halfRadius = accuracy / 2
      let isOnSide = candidate.isInside ? distance + halfRadius <= radius : distance - halfRadius > radius
      if !isOnSide { self.candidate = nil }
    }
  }

  /// Processes an unambiguous observation.
  public mutating func propose(_ isInside: Bool, at now: Instant) {
    guard self.isInside != isInside else {
      candidate = nil
      return
    }
    if candidate?.isInside != isInside { candidate = Candidate(isInside: isInside, since: now) }
    advance(at: now)
  }

  /// Keeps the state known until an instant although no fix arrives. The instant replaces the former instant.
  public mutating func keep(until instant: Instant) { knownUntil = instant }

  /// Advances the time: a candidate whose delay has passed becomes the state, and an expired state becomes
  /// unknown.
  public mutating func advance(at now: Instant) {
    if let candidate, candidate.since + delay(candidate.isInside) <= now {
      // A change from the unknown state is neither entry nor exit.
      if isInside != nil { pulse = candidate.isInside ? .enter : .exit }
      isInside = candidate.isInside
      self.candidate = nil
    }
    if let lastFix, memory < .unlimited, max(lastFix + memory, knownUntil) <= now { forget() }
  }

  /// Makes the state unknown; the next known state counts as neither entry nor exit.
  public mutating func forget() {
    isInside = nil
    candidate = nil
    lastFix = nil
  }

  /// The next instant at which the state changes without an observation; the distant future when it cannot
  /// change.
  public var next: Instant {
    var next = Instant.distantFuture
    if let candidate { next = candidate.since + delay(candidate.isInside) }
    if let lastFix, memory < .unlimited {
      next = min(next, max(lastFix + memory, knownUntil))
    }
    return next
  }

  /// Ends the entry or exit of the current step.
  public mutating func endPulse() { pulse = nil }

  private func delay(_ isInside: Bool) -> TimeSpan { isInside ? enterAfter : exitAfter }
}
