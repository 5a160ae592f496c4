import StintGovernor
import StintLanguage
import StintModel
import StintUnits

/// A search for obstacles that covers two courses of the facts whose ages the conditions test: new values
/// keep arriving, or no new value arrives.
///
/// If new values kept arriving in every simulation, `age(…) > 35 min` would never become true.
struct ArrivalSearch {
  /// The result of a search.
  struct Result {
    /// The earliest solution that was found; nil when none was found.
    var soonest: ObstacleSearch.Solution?
    /// The instant at which all goals are satisfied if no fact changes. Facts whose devices publish them now
    /// continue to get new values. Nil when the goals are then never satisfied.
    var unaided: Instant?
    /// The paths of the facts of which new values keep arriving in the earliest solution.
    var arriving: Set<String> = []
    /// The paths of the facts of which no new value may arrive before the earliest solution.
    var silent: [String] = []
  }

  private let goals: [ObstacleSearch.Goal]
  private let governor: Governor
  /// The facts whose age the conditions test, in the order of the source text.
  private let aged: [String]

  init(_ goals: [ObstacleSearch.Goal], _ governor: Governor) {
    self.goals = goals
    self.governor = governor
    let facts = FactCandidates(goals.map(\.condition), vocabulary: governor.vocabulary)
    aged = facts.paths.filter { facts.ages[$0] != nil }
  }

  /// Returns the earliest solution.
  ///
  /// - Parameter trial: simulates a solution, as for `ObstacleSearch`, while new values of these facts keep
  ///   arriving.
  func nearest(_ trial: (ObstacleSearch.Solution, Set<String>) -> Instant?) -> Result {
    let silent = search([], trial)
    guard !aged.isEmpty else { return Result(soonest: silent.soonest, unaided: silent.unaided) }
    let all = Set(aged)
    let steady = search(all, trial)
    let published = Self.published(aged, governor)
    let unaided =
      switch published {
      case []: silent.unaided
      case all: steady.unaided
      default: search(published, trial).unaided
      }
    if let solution = steady.soonest, solution.at <= silent.soonest?.at ?? .distantFuture {
      return Result(soonest: solution, unaided: unaided, arriving: all)
    }
    let waits = silent.soonest.map { $0.at > governor.now } ?? false
    return Result(soonest: silent.soonest, unaided: unaided, silent: waits ? aged : [])
  }

  private func search(
    _ arriving: Set<String>, _ trial: (ObstacleSearch.Solution, Set<String>) -> Instant?
  ) -> ObstacleSearch.Result {
    ObstacleSearch(goals, vocabulary: governor.vocabulary, arriving: arriving)
      .nearest { trial($0, arriving) }
  }

  /// Returns those of the facts of which new values can be expected now. A sensor publishes its facts while
  /// it is on; a declared fact with a maximum age is published again before it becomes too old.
  private static func published(_ paths: [String], _ governor: Governor) -> Set<String> {
    let vocabulary = governor.vocabulary
    return Set(
      paths.filter { path in
        guard let number = vocabulary.fact(path), number < vocabulary.firstComputed else { return false }
        let schema = vocabulary.facts[number]
        guard let device = schema.device, let manifest = vocabulary.manifest(device) else {
          return schema.maxAge != nil
        }
        return !manifest.isSensed(schema) || governor.status(of: device)?.setting.isOn == true
      })
  }
}
