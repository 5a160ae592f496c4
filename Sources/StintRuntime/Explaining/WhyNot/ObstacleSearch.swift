import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Finds the facts that would have to be otherwise for conditions to be as wanted as soon as they can be.
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

  /// What was found.
  struct Result: Equatable {
    /// The soonest way; of several the one with the fewest changes. Nil when none was found.
    var soonest: Way?
    /// When all is as wanted if no fact changes; nil when it is not by itself.
    var unaided: Instant?
  }

  /// How many facts may be in the way together, how many combinations are tried, and of one size looked at closely.
  static let mostChanges = 4
  static let mostTries = 200_000
  static let mostTrials = 200

  private typealias Change = (path: String, value: FactValue)

  private let goals: [Goal]
  private let outlooks: [ConditionForecast]
  private let candidates: [(path: String, values: [FactValue])]

  init(_ goals: [Goal], vocabulary: Vocabulary) {
    self.goals = goals
    outlooks = goals.map { ConditionForecast($0.situation) }
    let found = FactCandidates(goals.map(\.condition), vocabulary: vocabulary)
    candidates = found.paths.map { path in
      let present = goals.first?.situation.value(path) ?? .unknown
      return (path, found.values(of: path, besides: present))
    }
  }

  /// The soonest of all ways, through whichever alternatives of the conditions they lead.
  ///
  /// - Parameter trial: goes a way in a copy of the world, and says when all is as wanted there; nil when it is not by
  ///   the way's own instant. What is remembered for a while only is seen there, and nowhere else.
  func nearest(_ trial: (Way) -> Instant?) -> Result {
    var result = Result()
    var tries = 0
    guard let limit = bound(free: candidates.map(\.path)) else { return result }
    for count in 0...min(Self.mostChanges, candidates.count) {
      var ways: [Way] = []
      for places in Self.choices(of: count, among: candidates.count) {
        let paths = places.map { candidates[$0].path }
        guard let earliest = bound(free: paths), isSooner(earliest, than: result.soonest) else { continue }
        var chosen: [Change] = []
        search(places[...], &chosen, &ways, &tries)
      }
      let soonest = ways.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      for way in soonest.prefix(Self.mostTrials).map(\.element) where isSooner(way.at, than: result.soonest) {
        guard let at = trial(way), isSooner(at, than: result.soonest) else { continue }
        result.soonest = Way(changes: way.changes, at: at)
      }
      if count == 0 { result.unaided = result.soonest?.at }
      if !isSooner(limit, than: result.soonest) || tries >= Self.mostTries { break }
    }
    return result
  }

  private func isSooner(_ instant: Instant, than way: Way?) -> Bool { way.map { instant < $0.at } ?? true }

  /// An instant before which no values of these facts bring all about; nil when none do.
  private func bound(free paths: [String]) -> Instant? {
    var latest = Instant.epoch
    for (goal, outlook) in zip(goals, outlooks) {
      let bound = SoonestBound(situation: goal.situation, free: Set(paths), outlook: outlook)
      guard let at = bound.earliest(goal.condition, goal.wanted) else { return nil }
      latest = max(latest, at)
    }
    return latest
  }

  /// Every choice of this many numbers below a count, in order.
  private static func choices(of size: Int, among count: Int, from first: Int = 0) -> [[Int]] {
    guard size > 0 else { return [[]] }
    guard first + size <= count else { return [] }
    return (first...(count - size)).flatMap { place in
      choices(of: size - 1, among: count, from: place + 1).map { [place] + $0 }
    }
  }

  private func search(
    _ places: ArraySlice<Int>, _ chosen: inout [Change], _ ways: inout [Way], _ tries: inout Int
  ) {
    guard let place = places.first else {
      tries += 1
      guard tries < Self.mostTries, let at = instant(assuming: chosen) else { return }
      ways.append(Way(changes: chosen, at: at))
      return
    }
    for value in candidates[place].values {
      chosen.append((candidates[place].path, value))
      search(places.dropFirst(), &chosen, &ways, &tries)
      chosen.removeLast()
    }
  }

  /// The first instant at which all conditions are as wanted together, with these changes.
  private func instant(assuming changes: [Change]) -> Instant? {
    let assumed = Dictionary(changes.map { ($0.path, $0.value) }) { first, _ in first }
    var all: Forecast?
    for (goal, outlook) in zip(goals, outlooks) {
      let forecast = outlook.assuming(assumed).forecast(goal.condition)
      let wanted = goal.wanted ? forecast : forecast.negated
      all = all.map { $0.and(wanted) } ?? wanted
    }
    return all?.first(.yes)
  }
}
