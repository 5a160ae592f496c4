import StintLanguage
import StintModel
import StintUnits

/// Finds the fewest facts that would have to be otherwise for conditions to be as wanted, and when they would be.
struct ObstacleSearch {
  /// A condition, how it is wanted, and the moment in which its rule sees it.
  struct Goal {
    var situation: Situation
    var condition: CheckedExpression
    var wanted: Bool
  }

  /// What would do: facts to be published now, and the instant at which all is as wanted then.
  struct Way: Equatable {
    var changes: [(path: String, value: FactValue)]
    var at: Instant

    static func == (left: Way, right: Way) -> Bool {
      left.at == right.at && left.changes.map(\.path) == right.changes.map(\.path)
        && left.changes.map(\.value) == right.changes.map(\.value)
    }
  }

  /// How many facts may be in the way together, how many combinations are tried, and of one size looked at closely.
  static let mostChanges = 4
  static let mostTries = 200_000
  static let mostTrials = 200

  private let goals: [Goal]
  private let candidates: [(path: String, values: [FactValue])]

  init(_ goals: [Goal], vocabulary: Vocabulary) {
    self.goals = goals
    let found = FactCandidates(goals.map(\.condition), vocabulary: vocabulary)
    candidates = found.paths.map { path in
      let present = goals.first?.situation.value(path) ?? .unknown
      return (path, found.values(of: path, besides: present))
    }
  }

  /// The way with the fewest changes; of several the soonest; nil when none was found.
  ///
  /// - Parameter trial: goes a way in a copy of the world, and says when all is as wanted there; nil when it is not by
  ///   the way's own instant. What is remembered for a while only is seen there, and nowhere else.
  func nearest(_ trial: (Way) -> Instant?) -> Way? {
    var tries = 0
    for count in 0...min(Self.mostChanges, candidates.count) {
      var ways: [Way] = []
      var chosen: [(path: String, value: FactValue)] = []
      search(from: 0, left: count, &chosen, &ways, &tries)
      let soonest = ways.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      for way in soonest.prefix(Self.mostTrials).map(\.element) {
        if let at = trial(way) { return Way(changes: way.changes, at: at) }
      }
      if tries >= Self.mostTries { return nil }
    }
    return nil
  }

  private func search(
    from first: Int, left: Int, _ chosen: inout [(path: String, value: FactValue)],
    _ ways: inout [Way], _ tries: inout Int
  ) {
    guard left > 0 else {
      tries += 1
      guard tries < Self.mostTries, let at = instant(assuming: chosen) else { return }
      ways.append(Way(changes: chosen, at: at))
      return
    }
    guard first + left <= candidates.count else { return }
    for place in first...(candidates.count - left) {
      for value in candidates[place].values {
        chosen.append((candidates[place].path, value))
        search(from: place + 1, left: left - 1, &chosen, &ways, &tries)
        chosen.removeLast()
      }
    }
  }

  private func instant(assuming changes: [(path: String, value: FactValue)]) -> Instant? {
    let assumed = Dictionary(changes.map { ($0.path, $0.value) }) { first, _ in first }
    var latest = Instant.epoch
    for goal in goals {
      guard let at = Outlook(goal.situation, assuming: assumed).earliest(goal.condition, goal.wanted) else {
        return nil
      }
      latest = max(latest, at)
    }
    return latest
  }
}
