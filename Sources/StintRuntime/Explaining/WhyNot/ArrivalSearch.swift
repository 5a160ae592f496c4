import StintGovernor
import StintLanguage
import StintModel
import StintUnits

/// A search for obstacles when conditions test the ages of facts. The search tries several courses of events.
/// In each course, some of these facts keep getting new values, and the other facts get no new value.
///
/// If new values kept arriving in every simulation, `age(…) > 35 min` would never become true. A condition
/// can need new values of one fact and no new value of another fact:
/// `age(gps.accuracy) > 5 min and age(place.accuracy) < 1 min`.
struct ArrivalSearch {
  struct Result {
    /// The earliest solution that was found; nil when none was found.
    var soonest: ObstacleSearch.Solution?
    /// The instant at which all goals are satisfied if no value of a fact changes. Devices that publish facts
    /// now keep publishing these values. Nil when there is no such instant.
    var unaided: Instant?
    /// The paths of the facts that keep getting new values in the earliest solution.
    var arriving: Set<String> = []
    /// The facts that must or must not get new values for the earliest solution.
    var awaited = AwaitedValues()
  }

  /// The maximum number of facts with tested ages for which the search covers all courses. With more facts,
  /// it covers only the courses in which at most one fact differs from all other facts.
  static let maxCombinedFacts = 3

  private typealias Trial = (ObstacleSearch.Solution, Set<String>) -> Instant?

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
  /// - Parameter trial: simulates a solution, as for `ObstacleSearch`, while new values of the facts in the
  ///   given set keep arriving.
  func nearest(_ trial: (ObstacleSearch.Solution, Set<String>) -> Instant?) -> Result {
    var found: [Set<String>: ObstacleSearch.Result] = [:]
    func result(_ arriving: Set<String>) -> ObstacleSearch.Result {
      if let known = found[arriving] { return known }
      let new = search(arriving, trial)
      found[arriving] = new
      return new
    }
    func time(_ arriving: Set<String>) -> Instant { result(arriving).soonest?.at ?? .distantFuture }
    var best: Set<String> = []
    for (place, course) in courses.enumerated() where place == 0 || time(best) > governor.now {
      if place == 0 || time(course) < time(best) { best = course }
    }
    let unaided = result(Self.published(aged, governor)).unaided
    guard let soonest = result(best).soonest else { return Result(unaided: unaided) }
    var awaited = AwaitedValues()
    if soonest.at > governor.now {
      awaited.absent = aged.filter { !best.contains($0) }
      awaited.arriving = aged.filter { best.contains($0) && time(best.subtracting([$0])) > soonest.at }
    }
    return Result(soonest: soonest, unaided: unaided, arriving: best, awaited: awaited)
  }

  /// The sets of facts that keep getting new values, the largest set first. Among equally early solutions,
  /// the search selects the solution of the first set.
  private var courses: [Set<String>] {
    guard aged.count > Self.maxCombinedFacts else {
      let all: [Set<String>] = (0..<(1 << aged.count)).map { bits in
        Set(aged.indices.filter { bits & (1 << $0) != 0 }.map { aged[$0] })
      }
      // The order of sets of equal size is that of `all`.
      return (0...aged.count).reversed().flatMap { size in all.filter { $0.count == size } }
    }
    let all = Set(aged)
    return [all] + aged.map { all.subtracting([$0]) } + aged.map { [$0] } + [[]]
  }

  private func search(
    _ arriving: Set<String>, _ trial: (ObstacleSearch.Solution, Set<String>) -> Instant?
  ) -> ObstacleSearch.Result {
    ObstacleSearch(goals, vocabulary: governor.vocabulary, arriving: arriving)
      .nearest { trial($0, arriving) }
  }

  /// Returns the facts among `paths` for which new values can be expected now. A fact that a sensor measures
  /// is expected while the sensor is on. A fact that an app declares is expected when it has a maximum age,
  /// because the app then publishes it again before it becomes too old. Every other fact of a device is
  /// always expected; a computed fact is never expected.
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

/// The facts that must or must not get new values, so that an earliest time is reached.
struct AwaitedValues: Equatable {
  /// The paths of the facts that must keep getting new values until that time.
  var arriving: [String] = []
  /// The paths of the facts that must not get a new value before that time.
  var absent: [String] = []

  /// The conditions as parts of a sentence.
  var sentences: [String] {
    var parts: [String] = []
    if !absent.isEmpty { parts.append("no new value of \(ConditionExplainer.list(absent)) arrives") }
    if !arriving.isEmpty {
      parts.append("new values of \(ConditionExplainer.list(arriving, "and")) keep arriving")
    }
    return parts
  }
}
