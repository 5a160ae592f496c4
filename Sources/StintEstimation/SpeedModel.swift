import StintModel

/// The speed model holds the mean speed of each activity, learned from the speeds of fixes.
struct SpeedModel: Hashable, Sendable {
  /// The speeds that an activity allows, in metres a second, and its mean before any was seen.
  private struct Limits {
    let possible: ClosedRange<Double>
    let mean: Double
  }

  // The ranges and first means of activities are chosen from everyday speeds; the rest is fitted: ARCHITECTURE.md,
  // "Estimation".

  /// The speed at which a device at rest may be moved unnoticed, before any was seen.
  private static let creep = 0.025
  /// The least such speed: after hours without a fix one shift would be missed for long.
  private static let leastCreep = 0.0145
  /// The seconds of rest that weigh as much as all that was known, and the shortest rest that teaches.
  private static let restPatience = 3000.0
  private static let shortestRest = 60.0
  /// The seconds at a speed that weigh as much as all that was known.
  private static let patience = 1000.0
  /// The most seconds for which one fix weighs, and the most after a change of activity.
  private static let longest = 60.0
  private static let afterChange = 5.0
  /// The least speed that is assumed while the activity is unknown: a walk.
  private static let walk = 1.4

  private var creep = Self.creep
  private var means = Activity.allCases.map { Self.limits(of: $0).mean }

  /// The mean speed of an activity; of an unknown one, the speed seen last.
  func mean(of activity: Activity?, seen: Double) -> Double {
    switch activity {
    case nil: max(seen, Self.walk)
    case .still?: creep
    case let activity?: Activity.allCases.firstIndex(of: activity).map { means[$0] } ?? Self.walk
    }
  }

  /// The speed itself where the activity allows it, else the mean of the activity.
  func speed(_ speed: Double, in activity: Activity?) -> Double {
    guard let activity, activity != .still, !Self.limits(of: activity).possible.contains(speed) else {
      return speed
    }
    return mean(of: activity, seen: speed)
  }

  /// Learns from a speed that was held for a number of seconds.
  mutating func learn(_ speed: Double, in activity: Activity?, for seconds: Double, hasChanged: Bool) {
    guard let activity, activity != .still, let place = Activity.allCases.firstIndex(of: activity) else {
      return
    }
    let weight = min(seconds, hasChanged ? Self.afterChange : Self.longest)
    means[place] += (speed - means[place]) * weight / (weight + Self.patience)
  }

  /// Learns from metres by which the device was moved at rest, in a number of seconds.
  mutating func learnCreep(_ metres: Double, for seconds: Double) {
    guard seconds > Self.shortestRest else { return }
    let learnt = creep + (metres / seconds - creep) * seconds / (seconds + Self.restPatience)
    creep = max(learnt, Self.leastCreep)
  }

  private static func limits(of activity: Activity) -> Limits {
    switch activity {
    case .still: Limits(possible: 0...0.3, mean: creep)
    case .walking: Limits(possible: 0.3...2.2, mean: 1.5)
    case .running: Limits(possible: 2.2...4.5, mean: 2.8)
    case .cycling: Limits(possible: 4.5...8, mean: 10)
    // Vehicles crawl too: only a speed below a fast walk contradicts one.
    case .automotive: Limits(possible: 3...100, mean: 9)
    }
  }
}
