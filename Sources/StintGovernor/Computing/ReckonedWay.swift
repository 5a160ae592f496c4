import StintModel
import StintUnits

/// How far it went since it was seen last, reckoned from its speed then and from how it is moved since.
///
/// A speed comes back to the mean of its activity: after `memory` it is a quarter of the difference away from it.
struct ReckonedWay: Hashable, Sendable {
  /// How far it had gone when its activity changed.
  struct Mark: Hashable, Sendable {
    let instant: Instant
    let metres: Double
  }

  /// How it is moved, and how fast and how far it had gone when it began to be, or was seen since.
  private struct Leg: Hashable {
    var activity: Activity?
    var speed = 0.0
    var since = Instant.epoch
    var before = 0.0
  }

  private static let memory = 55.0
  /// What is faster than a walk is doubted for so long: where somebody begins to walk or stops, the samples of both
  /// together look like a ride, for two seconds.
  private static let glimpse = TimeSpan.milliseconds(2_010)
  /// More changes than this are not told apart.
  private static let mostMarks = 64

  private(set) var paces = ActivityPaces()
  /// When it came to rest.
  private(set) var restsSince = Instant.epoch
  private(set) var seenAt: Instant?
  private(set) var marks: [Mark] = []
  private var seen = 0.0
  private var leg = Leg()
  /// What was before a change that is doubted yet.
  private var former: Leg?
  private var hasChanged = true

  var activity: Activity? { leg.activity }
  /// Until when it may turn out that how it is moved did not change; nil where that is certain.
  var doubtedUntil: Instant? { former.map { _ in leg.since + Self.glimpse } }
  var isResting: Bool { activity == .still }
  var mean: Double { paces.mean(of: activity, seen: seen) }

  /// Metres since it was seen last.
  func metres(at now: Instant) -> Double {
    let time = max(0, (now - leg.since).seconds)
    let steady = mean * time
    guard !isResting else { return leg.before + steady }
    return leg.before + steady + (leg.speed - mean) * Self.memory * time / (Self.memory + time)
  }

  func speed(at now: Instant) -> Double {
    guard !isResting else { return mean }
    let share = Self.memory / (Self.memory + max(0, (now - leg.since).seconds))
    return mean + (leg.speed - mean) * share * share
  }

  /// How many seconds so many metres take, from this speed on.
  func seconds(for metres: Double, from speed: Double) -> Double {
    let mean = max(mean, 0.1)
    let excess = speed * Self.memory - metres
    return ((excess * excess + 4 * mean * metres * Self.memory).squareRoot() - excess) / (2 * mean)
  }

  /// How it is moved, from now on; nil when nobody can tell.
  mutating func moves(_ activity: Activity?, at now: Instant) {
    if let former, let doubtedUntil, now < doubtedUntil {
      // It did not last: as if nothing had been.
      leg = former
      self.former = nil
      marks.removeLast()
      guard activity != leg.activity else { return }
    }
    let metres = metres(at: now)
    let held = speed(at: now)
    if marks.count == Self.mostMarks { marks.removeFirst() }
    marks.append(Mark(instant: now, metres: metres))
    if activity == .still && !isResting { restsSince = now }
    former = isGlimpse(activity) ? leg : nil
    leg = Leg(activity: activity, speed: paces.speed(held, in: activity), since: now, before: metres)
    hasChanged = true
  }

  /// It was seen, moving so fast: the way begins anew.
  mutating func sees(_ speed: Double, at now: Instant) {
    let span = seenAt.map { (now - $0).seconds } ?? .infinity
    let between = hasChanged ? speed : (speed + seen) / 2
    paces.learn(between, in: activity, for: span, hasChanged: hasChanged)
    seen = speed
    leg = Leg(activity: activity, speed: speed, since: now)
    former = nil
    seenAt = now
    marks = []
    hasChanged = false
  }

  /// At rest since it was seen, it is so many metres away from there all the same.
  mutating func creeps(_ metres: Double, at now: Instant) {
    guard isResting, marks.isEmpty, let seenAt else { return }
    paces.learnCreep(metres, for: (now - seenAt).seconds)
  }

  private func isGlimpse(_ next: Activity?) -> Bool {
    guard let activity, let next, next != activity else { return false }
    return next != .still && next != .walking
  }
}
