import StintModel
import StintUnits

/// Determines whether claims about conditions can be true together, and finds facts that make all of them
/// true.
///
/// The first search considers one instant only. In this search, a condition that depends on the past may have
/// any value that its operands allow. So claims that are impossible in this search can never be true
/// together. The other searches look for facts that make the claims true and then stay unchanged for a time.
/// One group of searches assumes that these values of facts are the first since the policies were loaded. A
/// second group assumes that the facts had other values before. When no search finds such facts, the answer
/// is `Answer.undecided`.
struct Solver {
  /// The largest number of choices that one search may try.
  static let maxChoices = 4000

  let solverContext: SolverContext

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    solverContext = SolverContext(policies, vocabulary: vocabulary)
  }

  init(_ solverContext: SolverContext) { self.solverContext = solverContext }

  /// Returns whether the claims can be true at one moment.
  ///
  /// `first` is the result of `solveOnce` for these claims; nil when it is not known.
  func solve(_ claims: [Claim], after first: Answer? = nil) -> Answer {
    let survey = Survey(claims, schedules: solverContext.schedules)
    switch first ?? search(claims, survey, .loose, held: 0) {
    case .impossible: return .impossible
    case .undecided(let reason): return .undecided(reason)
    case .possible(let witness):
      if !survey.remembers && survey.unevaluatedPart == nil && !claims.contains(where: \.recurs) {
        return .possible(witness)
      }
    }
    guard let moments = moments(claims) else { return .undecided("too many time spans") }
    var reason = survey.unevaluatedPart ?? "earlier values of facts"
    for mode in [SolverVariables.Mode.fresh, .turned] {
      for held in moments {
        switch search(claims, survey, mode, held: held) {
        case .possible(let witness): return .possible(witness)
        case .impossible: continue
        case .undecided(let why): reason = why
        }
      }
    }
    return .undecided(reason)
  }

  /// Returns true when the claims cannot be true together, whatever happened before.
  func excludes(_ claims: [Claim]) -> Bool { solveOnce(claims).isImpossible }

  /// Returns whether the claims can be true at one moment, with an arbitrary past.
  ///
  /// If `isReversed` is true, the search tries the cells from the last to the first, and may find other
  /// facts.
  func solveOnce(_ claims: [Claim], isReversed: Bool = false) -> Answer {
    let survey = Survey(claims, schedules: solverContext.schedules)
    return search(claims, survey, .loose, held: 0, isReversed: isReversed)
  }

  private func search(
    _ claims: [Claim], _ survey: Survey, _ mode: SolverVariables.Mode, held: Int64, isReversed: Bool = false
  ) -> Answer {
    var space = SolverVariables(survey, mode: mode, held: held, solverContext: solverContext)
    space.isReversed = isReversed
    let formula = space.formula(of: claims)
    let all = [Bool](repeating: true, count: space.variables.count)
    var search = SatisfiabilitySearch(
      formula, isFixed: all, counts: space.variables.map(\.cells.count), budget: Self.maxChoices)
    switch search.run() {
    case .satisfiable(let cells): return .possible(space.witness(cells))
    case .unsatisfiable: return .impossible
    case .undecided: return .undecided("too many combinations of facts")
    }
  }

  /// Returns the times at which a condition may change, in nanoseconds after the publication of all facts.
  /// Nil when there are too many.
  private func moments(_ claims: [Claim]) -> [Int64]? {
    var points: Set<Int64> = [0]
    for claim in claims {
      guard let condition = claim.condition else { continue }
      guard let more = condition.breakpoints(solverContext) else { return nil }
      points.formUnion(more)
      if case .staysFalse(let span) = claim.mode {
        points.formUnion(more.map { $0 + min(span.nanoseconds, .max / 4) })
      }
    }
    let sorted = points.sorted()
    guard sorted.count <= 24 else { return nil }
    // A recurring claim is tested only at the last of these times, after which no condition changes.
    return claims.contains(where: \.recurs) ? sorted.suffix(1) : sorted
  }
}
