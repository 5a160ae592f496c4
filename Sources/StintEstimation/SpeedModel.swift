import StintModel

/// The speed model contains the mean speed of each activity, learned from the speeds of fixes.
struct SpeedModel: Hashable, Sendable {
  /// The speeds that are possible when an activity begins, in metres per second, and the initial mean of the
  /// activity. The mean may lie outside of this range.
  private struct Limits {
    let possible: ClosedRange<Double>
    let mean: Double
  }

  // The ranges and initial means follow everyday speeds; the other constants are fitted: ARCHITECTURE.md,
  // "Estimation".

  /// The initial creep speed, in metres per second. The creep speed is the speed that a device may have
  /// although it appears to be at rest.
  private static let creep = 0.025
  /// The minimum creep speed. With a lower value, a movement during hours without a fix would be noticed too
  /// late.
  private static let minCreep = 0.0145
  /// `earlierRestWeight`: the seconds of rest that weigh as much as all earlier rest. `shortestRest`: the
  /// shortest rest from which the model learns, in seconds.
  private static let earlierRestWeight = 3000.0
  private static let shortestRest = 60.0
  /// The seconds at a speed that weigh as much as all earlier speeds.
  private static let earlierWeight = 1000.0
  /// The maximum weight of one fix in seconds: in general (`longest`) and after a change of activity
  /// (`afterChange`).
  private static let longest = 60.0
  private static let afterChange = 5.0
  /// The speed of a walk, in metres per second; the minimum for an unknown activity.
  private static let walk = 1.4

  private var creep = Self.creep
  private var means = Activity.allCases.map { Self.limits(of: $0).mean }

  /// Returns the mean speed of an activity. For an unknown activity, returns the last measured speed, but at
  /// least the speed of a walk.
  func mean(of activity: Activity?, seen: Double) -> Double {
    switch activity {
    case nil: max(seen, Self.walk)
    case .still?: creep
    case let activity?: Activity.allCases.firstIndex(of: activity).map { means[$0] } ?? Self.walk
    }
  }

  /// Returns the speed when it is possible for the activity; otherwise the mean speed of the activity. At
  /// rest and for an unknown activity, every speed is possible.
  func speed(_ speed: Double, in activity: Activity?) -> Double {
    guard let activity, activity != .still, !Self.limits(of: activity).possible.contains(speed) else {
      return speed
    }
    return mean(of: activity, seen: speed)
  }

  /// Learns from a speed that lasted for some seconds.
  mutating func learn(_ speed: Double, in activity: Activity?, for seconds: Double, hasChanged: Bool) {
    guard let activity, activity != .still, let place = Activity.allCases.firstIndex(of: activity) else {
      return
    }
    let weight = min(seconds, hasChanged ? Self.afterChange : Self.longest)
    means[place] += (speed - means[place]) * weight / (weight + Self.earlierWeight)
  }

  /// Learns the creep speed from the metres that a device moved in some seconds while it seemed to rest.
  mutating func learnCreep(_ metres: Double, for seconds: Double) {
    guard seconds > Self.shortestRest else { return }
    let learnt = creep + (metres / seconds - creep) * seconds / (seconds + Self.earlierRestWeight)
    creep = max(learnt, Self.minCreep)
  }

  private static func limits(of activity: Activity) -> Limits {
    switch activity {
    case .still: Limits(possible: 0...0.3, mean: creep)
    case .walking: Limits(possible: 0.3...2.2, mean: 1.5)
    case .running: Limits(possible: 2.2...4.5, mean: 2.8)
    case .cycling: Limits(possible: 4.5...8, mean: 10)
    // Vehicles can be slow: only a speed below 3 m/s rules out a vehicle.
    case .automotive: Limits(possible: 3...100, mean: 9)
    }
  }
}
