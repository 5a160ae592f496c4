import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// A search for changes of facts after which all conditions get their wanted truth values as early
/// as possible.
struct ObstacleSearch {
  /// A condition with its wanted truth value, and the situation in which its rule is evaluated.
  struct Goal {
    var situation: Situation
    var condition: CheckedExpression
    var wanted: Bool
  }

  /// A solution: facts to publish now, and the instant at which all goals are then satisfied.
  struct Solution: Equatable {
    var changes: [(path: String, value: FactValue)]
    var at: Instant

    static func == (left: Solution, right: Solution) -> Bool {
      left.at == right.at && left.changes.map(\.path) == right.changes.map(\.path)
        && left.changes.map(\.value) == right.changes.map(\.value)
    }
  }

  struct Result: Equatable {
    /// The earliest solution that was found. Among equally early solutions, the solution with the fewest
    /// changes. Nil when none was found.
    var soonest: Solution?
    /// The instant at which all goals are satisfied if no fact changes; nil when they are then
    /// never satisfied.
    var unaided: Instant?
  }

  /// The maximum number of facts that change together.
  static let maxChanges = 4
  /// The maximum number of combinations of values that are tried.
  static let maxCombinations = 200_000
  /// The maximum number of solutions that are simulated for each number of changed facts.
  static let maxSimulations = 200

  private typealias Change = (path: String, value: FactValue)

  private let goals: [Goal]
  private let baseForecasts: [ConditionForecast]
  private let candidates: [(path: String, values: [FactValue])]

  /// - Parameter arriving: the paths of facts that keep getting new values.
  init(_ goals: [Goal], vocabulary: Vocabulary, arriving: Set<String> = []) {
    self.goals = goals
    baseForecasts = goals.map { ConditionForecast($0.situation, arriving: arriving) }
    let factCandidates = FactCandidates(goals.map(\.condition), vocabulary: vocabulary)
    candidates = factCandidates.paths.map { path in
      let present = goals.first?.situation.value(path) ?? .unknown
      return (path, factCandidates.values(of: path, besides: present))
    }
  }

  /// Returns the earliest solution that the search finds within its limits. The result also contains the
  /// instant at which all goals are satisfied without any change.
  ///
  /// - Parameter trial: simulates a solution with a copy of the governor. Returns the instant at which all
  ///   goals are satisfied, or nil when they are still not satisfied at the instant of the solution. The
  ///   simulation includes effects that last for a limited time, which the forecasts ignore.
  func nearest(_ trial: (Solution) -> Instant?) -> Result {
    var result = Result()
    var tries = 0
    guard let lowerBound = bound(free: candidates.map(\.path)) else { return result }
    for count in 0...min(Self.maxChanges, candidates.count) {
      var solutions: [Solution] = []
      for places in Self.choices(of: count, among: candidates.count) {
        let paths = places.map { candidates[$0].path }
        guard let earliest = bound(free: paths), isSooner(earliest, than: result.soonest) else { continue }
        var chosen: [Change] = []
        search(places[...], &chosen, &solutions, &tries)
      }
      let soonest = solutions.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      for solution in soonest.prefix(Self.maxSimulations).map(\.element)
      where isSooner(solution.at, than: result.soonest) {
        guard let at = trial(solution), isSooner(at, than: result.soonest) else { continue }
        result.soonest = Solution(changes: solution.changes, at: at)
      }
      if count == 0 { result.unaided = result.soonest?.at }
      if !isSooner(lowerBound, than: result.soonest) || tries >= Self.maxCombinations { break }
    }
    return result
  }

  private func isSooner(_ instant: Instant, than solution: Solution?) -> Bool {
    solution.map { instant < $0.at } ?? true
  }

  /// Returns a lower bound for the time of a solution that changes only these facts. Returns nil when there
  /// is no such solution.
  private func bound(free paths: [String]) -> Instant? {
    var latest = Instant.epoch
    for (goal, baseForecast) in zip(goals, baseForecasts) {
      let bound = SoonestBound(situation: goal.situation, free: Set(paths), baseForecast: baseForecast)
      guard let at = bound.earliest(goal.condition, goal.wanted) else { return nil }
      latest = max(latest, at)
    }
    return latest
  }

  /// Returns all combinations of `size` indices below `count`, in ascending order.
  private static func choices(of size: Int, among count: Int, from first: Int = 0) -> [[Int]] {
    guard size > 0 else { return [[]] }
    guard first + size <= count else { return [] }
    return (first...(count - size)).flatMap { place in
      choices(of: size - 1, among: count, from: place + 1).map { [place] + $0 }
    }
  }

  private func search(
    _ places: ArraySlice<Int>, _ chosen: inout [Change], _ solutions: inout [Solution], _ tries: inout Int
  ) {
    guard let place = places.first else {
      tries += 1
      guard tries < Self.maxCombinations, let at = instant(assuming: chosen) else { return }
      solutions.append(Solution(changes: chosen, at: at))
      return
    }
    for value in candidates[place].values {
      chosen.append((candidates[place].path, value))
      search(places.dropFirst(), &chosen, &solutions, &tries)
      chosen.removeLast()
    }
  }

  /// Returns the first instant at which all goals are satisfied with these changes; nil when there is no
  /// such instant.
  private func instant(assuming changes: [Change]) -> Instant? {
    let assumed = Dictionary(changes.map { ($0.path, $0.value) }) { first, _ in first }
    var all: Forecast?
    for (goal, baseForecast) in zip(goals, baseForecasts) {
      let forecast = baseForecast.assuming(assumed).forecast(goal.condition)
      let wanted = goal.wanted ? forecast : forecast.negated
      all = all.map { $0.and(wanted) } ?? wanted
    }
    return all?.first(.yes)
  }
}
