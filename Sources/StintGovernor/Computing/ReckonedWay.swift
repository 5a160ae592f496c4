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

  private static let memory = 55.0
  /// More changes than this are not told apart.
  private static let mostMarks = 64

  private(set) var activity: Activity?
  private(set) var paces = ActivityPaces()
  /// When it came to rest.
  private(set) var restsSince = Instant.epoch
  private(set) var seenAt: Instant?
  private(set) var marks: [Mark] = []
  private var seen = 0.0
  /// The speed since the last change or sight, and how far it had gone by then.
  private var speed = 0.0
  private var since = Instant.epoch
  private var before = 0.0
  private var hasChanged = true

  var isResting: Bool { activity == .still }
  var mean: Double { paces.mean(of: activity, seen: seen) }

  /// Metres since it was seen last.
  func metres(at now: Instant) -> Double {
    let time = max(0, (now - since).seconds)
    let steady = mean * time
    guard !isResting else { return before + steady }
    return before + steady + (speed - mean) * Self.memory * time / (Self.memory + time)
  }

  func speed(at now: Instant) -> Double {
    guard !isResting else { return mean }
    let share = Self.memory / (Self.memory + max(0, (now - since).seconds))
    return mean + (speed - mean) * share * share
  }

  /// How many seconds so many metres take, from this speed on.
  func seconds(for metres: Double, from speed: Double) -> Double {
    let mean = max(mean, 0.1)
    let excess = speed * Self.memory - metres
    return ((excess * excess + 4 * mean * metres * Self.memory).squareRoot() - excess) / (2 * mean)
  }

  /// How it is moved, from now on; nil when nobody can tell.
  mutating func moves(_ activity: Activity?, at now: Instant) {
    let metres = metres(at: now)
    let held = speed(at: now)
    if marks.count == Self.mostMarks { marks.removeFirst() }
    marks.append(Mark(instant: now, metres: metres))
    if activity == .still && !isResting { restsSince = now }
    self.activity = activity
    before = metres
    since = now
    speed = paces.speed(held, in: activity)
    hasChanged = true
  }

  /// It was seen, moving so fast: the way begins anew.
  mutating func sees(_ speed: Double, at now: Instant) {
    let span = seenAt.map { (now - $0).seconds } ?? .infinity
    let between = hasChanged ? speed : (speed + seen) / 2
    paces.learn(between, in: activity, for: span, hasChanged: hasChanged)
    seen = speed
    self.speed = speed
    since = now
    seenAt = now
    before = 0
    marks = []
    hasChanged = false
  }
}
