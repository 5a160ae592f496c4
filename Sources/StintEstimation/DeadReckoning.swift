import StintModel
import StintUnits

/// Dead reckoning estimates the path length since the last fix from the speed of this fix and the later
/// activities.
///
/// The estimated speed approaches the mean speed of the activity: after `memory` seconds a quarter of the
/// difference is left.
struct DeadReckoning: Hashable, Sendable {
  /// The estimated path length at a change of activity.
  struct Mark: Hashable, Sendable {
    let instant: Instant
    let metres: Double
  }

  /// A period with one activity. It begins with a change of activity or with a fix.
  private struct Leg: Hashable {
    var activity: Activity?
    /// The speed at `since`, in metres per second.
    var speed = 0.0
    var since = Instant.epoch
    /// The path length at `since`, in metres.
    var before = 0.0
  }

  /// The seconds after which a quarter of the difference between the estimated and the mean speed is left.
  ///
  /// The value is fitted; see ARCHITECTURE.md, "Estimation".
  private static let memory = 55.0
  /// The time after which a change to an activity faster than walking is confirmed.
  ///
  /// A classifier evaluates two seconds of samples. At the beginning or end of a walk, this window contains
  /// both walking and rest, and the classifier may report a ride. The constant is the window plus a margin.
  private static let glimpse = TimeSpan.milliseconds(2_010)
  /// The maximum number of stored changes of activity. This maximum limits the memory.
  private static let maxMarks = 64

  private(set) var speeds = SpeedModel()
  /// The instant at which the device came to rest.
  private(set) var restsSince = Instant.epoch
  /// The instant of the last fix; nil before the first fix.
  private(set) var seenAt: Instant?
  /// The changes of activity since the last fix.
  private(set) var marks: [Mark] = []
  /// The speed of the last fix, in metres per second.
  private var seenSpeed = 0.0
  private var leg = Leg()
  /// The activity before a provisional change; nil when the activity is confirmed.
  private var former: Leg?
  /// True when the activity has changed since the last fix. Also true before the first fix.
  private var hasChanged = true

  var activity: Activity? { leg.activity }
  /// The instant at which a provisional change of activity is confirmed; nil without such a change.
  var doubtedUntil: Instant? { former.map { _ in leg.since + Self.glimpse } }
  var isResting: Bool { activity == .still }
  /// The mean speed of the current activity, in metres per second.
  var mean: Double { speeds.mean(of: activity, seen: seenSpeed) }

  /// Returns the estimated path length since the last fix, in metres.
  func metres(at now: Instant) -> Double {
    let time = max(0, (now - leg.since).seconds)
    let steady = mean * time
    guard !isResting else { return leg.before + steady }
    return leg.before + steady + (leg.speed - mean) * Self.memory * time / (Self.memory + time)
  }

  /// Returns the estimated speed in metres per second.
  func speed(at now: Instant) -> Double {
    guard !isResting else { return mean }
    let share = Self.memory / (Self.memory + max(0, (now - leg.since).seconds))
    return mean + (leg.speed - mean) * share * share
  }

  /// Returns the seconds to travel `metres`, beginning at `speed` in metres per second.
  func seconds(for metres: Double, from speed: Double) -> Double {
    let mean = max(mean, 0.1)
    let excess = speed * Self.memory - metres
    return ((excess * excess + 4 * mean * metres * Self.memory).squareRoot() - excess) / (2 * mean)
  }

  /// Sets the current activity; nil when it is unknown.
  mutating func noteMotion(_ activity: Activity?, at now: Instant) {
    if let former, let doubtedUntil, now < doubtedUntil {
      // The provisional change did not last, so it is undone.
      leg = former
      self.former = nil
      marks.removeLast()
      guard activity != leg.activity else { return }
    }
    let metres = metres(at: now)
    let lastSpeed = speed(at: now)
    if marks.count == Self.maxMarks { marks.removeFirst() }
    marks.append(Mark(instant: now, metres: metres))
    if activity == .still && !isResting { restsSince = now }
    former = isProvisional(activity) ? leg : nil
    leg = Leg(activity: activity, speed: speeds.speed(lastSpeed, in: activity), since: now, before: metres)
    hasChanged = true
  }

  /// Starts a new path at a fix with a speed in metres per second.
  mutating func noteFix(_ speed: Double, at now: Instant) {
    let span = seenAt.map { (now - $0).seconds } ?? .infinity
    let averageSpeed = hasChanged ? speed : (speed + seenSpeed) / 2
    speeds.learn(averageSpeed, in: activity, for: span, hasChanged: hasChanged)
    seenSpeed = speed
    leg = Leg(activity: activity, speed: speed, since: now)
    former = nil
    seenAt = now
    marks = []
    hasChanged = false
  }

  /// Learns `SpeedModel.creep` from the distance between two fixes, if the device rested between them.
  mutating func noteMovement(_ metres: Double, at now: Instant) {
    guard isResting, marks.isEmpty, let seenAt else { return }
    speeds.learnCreep(metres, for: (now - seenAt).seconds)
  }

  private func isProvisional(_ next: Activity?) -> Bool {
    guard let activity, let next, next != activity else { return false }
    return next != .still && next != .walking
  }
}
