import StintModel
import StintUnits

/// Position validity is the time for which the device stays near its last delivered position.
///
/// The device is within a bound of that position in 95 of 100 seconds. The estimate combines dead reckoning
/// from the last fix, a speed model, a straightness ratio and an error budget. The validity ends on the first
/// full second at which the device may be beyond the bound. While the receiver is off, the validity ends
/// earlier by the time that a search for a fix takes. The error budget counts the seconds in which the device
/// may have been beyond the bound, and the further seconds that are allowed. The estimate uses more of the
/// allowed seconds at a high speed, because fixes then follow each other at short intervals. So each second
/// beyond the bound avoids more fixes than at a low speed.
struct PositionValidity: Hashable, Sendable {
  // The origin of these constants: ARCHITECTURE.md, "Estimation". All except `trusted` are fitted.

  /// A new position is needed when the estimated distance exceeds `trusted` times the allowed distance. When
  /// the error budget is exceeded, this factor decreases, but not below `minTrusted`.
  private static let trusted = 1.0
  private static let minTrusted = 0.87
  /// Without `minTrusted`, the factor would be zero when the error budget is exceeded by this number of
  /// seconds.
  private static let overrunForZeroShare = 400.0
  /// At this multiple of the allowed distance, a new position is needed. This is true even when the error
  /// budget permits a longer wait.
  private static let farthest = 15.0
  /// The seconds until another fix is needed when the device comes to rest at the bound. The time is longer
  /// when the device rests nearer to the delivered position.
  private static let settling = 5.0
  /// Margins: `doubt` in metres, and `haste` in seconds of travel at the current speed. A fix whose distance
  /// to the bound is smaller than the sum of both margins counts as beyond the bound.
  private static let doubt = 3.0
  private static let haste = 0.1
  /// At rest, up to this many metres of the distance between two fixes count as measurement error.
  private static let error = 5.0

  /// The bound, in metres.
  let bound: Double
  /// The time from switching the device on to a fix, in seconds.
  let lead: Double

  /// The instant at which the validity ends. While the device is off, the search time is subtracted. Before
  /// the first delivery, the value is the distant past.
  private(set) var end = Instant(nanoseconds: .min)
  private(set) var isOn = true

  private var delivered: Coordinate?
  private var deliveredAt = Instant.epoch
  private var lastFix: Coordinate?
  /// The accuracy radius of the last fix, in metres.
  private var radius = 0.0
  /// The distance from the delivered position to the last fix, in metres.
  private var base = 0.0
  private var straightness = StraightnessRatio()
  private var reckoning = DeadReckoning()
  private var budget = ErrorBudget()
  /// The instant and the path length, in metres, up to which the budget has recorded the movement.
  private var counted = Instant.epoch
  private var countedMetres = 0.0

  init(bound: Double, lead: Double) {
    self.bound = bound
    self.lead = lead
  }

  /// Returns the remaining seconds of validity; negative when a new position is overdue, nil before the first
  /// delivery.
  func value(at now: Instant) -> Double? {
    delivered == nil ? nil : (end - now).seconds
  }

  // MARK: Events

  /// Sets the current activity; nil when it is unknown.
  mutating func noteMotion(_ activity: Activity?, at now: Instant) {
    count(now)
    reckoning.noteMotion(activity, at: now)
    updateEnd(now)
  }

  /// Sets whether the device is on.
  mutating func noteSwitch(on: Bool, at now: Instant) {
    guard isOn != on else { return }
    isOn = on
    updateEnd(now)
  }

  /// Processes a fix: a position, a speed in metres per second and an accuracy radius in metres.
  mutating func noteFix(_ place: Coordinate, speed: Double, radius: Double, at now: Instant) {
    count(now)
    let metres = reckoning.metres(at: now)
    straightness.addDistance(metres)
    if let lastFix { reckoning.noteMovement(max(0, lastFix.distance(to: place) - Self.error), at: now) }
    if let delivered {
      let distance = delivered.distance(to: place)
      if base == 0 { straightness.learn(distance, of: metres, for: reckoning.activity) }
      let certain = reach(radius) - Self.doubt - Self.haste * reckoning.speed(at: now)
      countMisses(distance, within: certain, at: now)
      base = distance
    }
    lastFix = place
    self.radius = radius
    countedMetres = 0
    reckoning.noteFix(speed, at: now)
    updateEnd(now)
  }

  /// Records that the last fix was delivered to the clients.
  mutating func delivers(at now: Instant) {
    guard let lastFix else { return }
    if delivered != nil { budget.addSeconds((now - deliveredAt).seconds) }
    straightness.endPath(at: lastFix)
    delivered = lastFix
    deliveredAt = now
    base = 0
    updateEnd(now)
  }

  // MARK: Estimation

  /// Returns the allowed distance from the delivered position for a fix with the 95 % radius `radius`, in
  /// metres.
  private func reach(_ radius: Double) -> Double { max(bound - radius, bound / 5) }

  /// Adds the movement since the last call to the error budget.
  private mutating func count(_ now: Instant) {
    let metres = reckoning.metres(at: now)
    if delivered != nil {
      budget.noteMotion(max(0, metres - countedMetres), in: max(0, (now - counted).seconds))
    }
    counted = max(now, counted)
    countedMetres = metres
  }

  /// Records how long the device was beyond the bound since the last fix.
  ///
  /// The estimated path is scaled to end at the new fix. A distance that the path does not explain is spread
  /// evenly over the time.
  private mutating func countMisses(_ distance: Double, within reach: Double, at now: Instant) {
    guard distance > reach, let start = reckoning.seenAt else { return }
    if base > reach {
      budget.misses(from: start, before: now)
      return
    }
    let metres = reckoning.metres(at: now)
    let span = max((now - start).seconds, 1e-9)
    let known = min(1, distance / max(metres, 1e-9))
    let unknown = max(0, distance - metres) / span
    let share = base > 0 ? max(0, distance - base) / distance : 1
    var last = (instant: start, metres: base)
    for mark in reckoning.marks + [DeadReckoning.Mark(instant: now, metres: metres)] {
      let gone = base + (mark.metres * known + unknown * (mark.instant - start).seconds) * share
      if gone >= reach {
        let part = max(0, (reach - last.metres) / max(gone - last.metres, 1e-9))
        let passed = last.instant + Self.span((mark.instant - last.instant).seconds * part)
        budget.misses(after: passed, before: now)
        return
      }
      last = (mark.instant, gone)
    }
  }

  /// Computes the end of the validity for the current motion.
  private mutating func updateEnd(_ now: Instant) {
    guard delivered != nil else { return }
    let reach = reach(radius)
    if reckoning.isResting {
      let distance = base + reckoning.metres(at: now)
      let share = reach / max(distance, 0.01)
      let settled = reckoning.restsSince + Self.span(Self.settling * share)
      let crept = now + Self.span((reach - distance) / reckoning.mean)
      // The change to rest requires another fix only for a position that was delivered before the change.
      let wanted = (deliveredAt > reckoning.restsSince ? crept : min(crept, max(now, settled))).fullSecond
      end = isOn ? wanted + grace(now) : max(wanted - searchTime, now)
      return
    }
    let straight = straightness.value(for: reckoning.activity)
    let distance = base + reckoning.metres(at: now) * straight
    let pace = max(reckoning.speed(at: now), reckoning.mean / 2)
    let left = (limit(reach, pace, straight, at: now) - distance) / straight
    let doubted = reckoning.doubtedUntil.flatMap { $0 > now ? $0 : nil }
    guard left > 0 || doubted != nil else {
      end = isOn ? now : now - searchTime
      return
    }
    let passed = left > 0 ? (now + Self.span(reckoning.seconds(for: left, from: pace))).fullSecond : now
    let wanted = max(passed, doubted?.fullSecond ?? passed)
    // No search begins while a change of activity is provisional.
    end = isOn ? wanted + grace(now) : max(wanted - searchTime, doubted ?? wanted - searchTime)
  }

  /// The time of a search plus a microsecond, so that the search ends before the full second.
  private var searchTime: TimeSpan { Self.span(lead) + TimeSpan(nanoseconds: 1_000) }

  /// Returns one millisecond while a fix arrives each second; otherwise zero.
  ///
  /// The validity then ends just after a full second, so that the fix of this second is read before that end.
  private func grace(_ now: Instant) -> TimeSpan {
    guard let seenAt = reckoning.seenAt, now - seenAt < .milliseconds(1500) else { return .zero }
    return .milliseconds(1)
  }

  /// Returns the distance from the delivered position at which a new position is needed, in metres.
  private func limit(_ reach: Double, _ pace: Double, _ straight: Double, at now: Instant) -> Double {
    let spare = budget.spare((now - deliveredAt).seconds)
    guard spare >= 0 else {
      return reach * max(Self.minTrusted, Self.trusted * (1 + spare / Self.overrunForZeroShare))
    }
    let beyond = pace * straight * budget.usableSeconds(spare, at: pace)
    return min(reach * Self.trusted + beyond, reach * Self.farthest)
  }

  private static func span(_ seconds: Double) -> TimeSpan {
    TimeSpan(seconds: min(max(seconds, -1), 86_400)) ?? .zero
  }
}
