import StintLanguage
import StintModel
import StintSimulation
import StintUnits

/// The world of a test: open sky, and a phone that moves with the activities in the test.
enum TestWorld {
  /// The start position of the phone.
  private static var origin: Coordinate {
    guard let origin = Coordinate(latitude: 47, longitude: 8) else {
      preconditionFailure("47 N 8 E is a valid coordinate")
    }
    return origin
  }

  static func scenario(of test: CheckedTest, start: Instant) -> Scenario {
    var turns: [(at: TimeSpan, activity: Activity)] = [(.zero, .still)]
    for event in test.events {
      guard case .set(let assignments) = event.kind else { continue }
      for case .symbol(let index) in assignments.filter({ $0.path == "motion.activity" }).map(\.value) {
        turns.append((event.at, Activity.allCases[min(index, Activity.allCases.count - 1)]))
      }
    }
    let end = test.end + .hours(1)
    let legs = turns.indices.compactMap { number -> Leg? in
      let length = (number + 1 < turns.count ? turns[number + 1].at : end) - turns[number].at
      guard length > .zero else { return nil }
      let activity = turns[number].activity
      return Leg(activity: activity, duration: length, speed: speed(of: activity), heading: 90)
    }
    return Scenario(
      name: "test", start: start, duration: end,
      origin: origin,
      legs: legs)
  }

  /// Returns a typical speed of an activity in metres per second.
  private static func speed(of activity: Activity) -> Double {
    switch activity {
    case .still: 0
    case .walking: 1.4
    case .running: 3
    case .cycling: 5
    case .automotive: 15
    }
  }
}
