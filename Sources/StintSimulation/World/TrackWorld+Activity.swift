import StintModel

extension TrackWorld {
  /// The activity that a label, or else a speed in metres a second, suggests.
  ///
  /// A label names the means of travel: a bus at its stop is still all the same.
  static func activity(label: String?, speed: Double) -> Activity {
    if speed < 0.3 { return .still }
    if let label, let activity = labelled[label] { return activity }
    switch speed {
    case ..<2.2: return .walking
    case ..<4.5: return .running
    case ..<8: return .cycling
    default: return .automotive
    }
  }

  private static let labelled: [String: Activity] = [
    "still": .still, "walk": .walking, "walking": .walking, "hike": .walking, "run": .running,
    "running": .running, "bike": .cycling, "cycling": .cycling, "car": .automotive, "drive": .automotive,
    "bus": .automotive, "train": .automotive, "taxi": .automotive, "automotive": .automotive,
  ]
}
