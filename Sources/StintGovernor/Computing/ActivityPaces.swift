import StintModel

/// How fast each activity goes, learned from the speeds that were seen.
struct ActivityPaces: Hashable, Sendable {
  /// Speeds that an activity leaves possible, in metres a second, and the mean before any was seen.
  private struct Limits {
    let possible: ClosedRange<Double>
    let mean: Double
  }

  /// Even a phone at rest may be moved unnoticed: this fast, before it is known better.
  private static let creep = 0.025
  /// However little was seen of it: after hours without a look one shift would be missed for long.
  private static let leastCreep = 0.0145
  /// A rest of this long, in seconds, tells as much of that as all that was known; a shorter than the other nothing.
  private static let restPatience = 3000.0
  private static let shortestRest = 60.0
  /// A speed that was held for this long, in seconds, counts as much as all that was known.
  private static let patience = 1000.0
  /// One speed stands for no more than this many seconds, and for fewer after a change of activity.
  private static let longest = 60.0
  private static let afterChange = 5.0
  /// Where nobody can tell how it moves, it is believed to walk at least.
  private static let walk = 1.4

  private var creep = Self.creep
  private var means = Activity.allCases.map { Self.limits(of: $0).mean }

  /// The mean of an activity, where speeds end up; of none, what was seen last.
  func mean(of activity: Activity?, seen: Double) -> Double {
    switch activity {
    case nil: max(seen, Self.walk)
    case .still?: creep
    case let activity?: Activity.allCases.firstIndex(of: activity).map { means[$0] } ?? Self.walk
    }
  }

  /// A speed as an activity leaves it possible: itself, or else the mean.
  func speed(_ speed: Double, in activity: Activity?) -> Double {
    guard let activity, activity != .still, !Self.limits(of: activity).possible.contains(speed) else {
      return speed
    }
    return mean(of: activity, seen: speed)
  }

  /// It moved this fast for so many seconds.
  mutating func learn(_ speed: Double, in activity: Activity?, for seconds: Double, hasChanged: Bool) {
    guard let activity, activity != .still, let place = Activity.allCases.firstIndex(of: activity) else {
      return
    }
    let weight = min(seconds, hasChanged ? Self.afterChange : Self.longest)
    means[place] += (speed - means[place]) * weight / (weight + Self.patience)
  }

  /// At rest it was moved so many metres in so many seconds.
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
    // Vehicles crawl too: only what is slower than a walk in haste speaks against one.
    case .automotive: Limits(possible: 3...100, mean: 9)
    }
  }
}
