import StintModel
import StintUnits

/// Decides whether claims about conditions can be the case together, and shows how.
///
/// First at one moment, where parts that look back may have come to whatever their operands allow: what is impossible
/// there is impossible. What is left is brought about with facts that stand for a while, after others or none; what
/// cannot be brought about so is undecided.
struct Solver {
  /// How many choices one search may try.
  static let mostChoices = 4000

  let ground: SolverContext

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    ground = SolverContext(policies, vocabulary: vocabulary)
  }

  init(_ ground: SolverContext) { self.ground = ground }

  /// Whether the claims can be the case at one moment; `solveOnce` is what that came to for them, where it is known.
  func solve(_ claims: [Claim], after solveOnce: Answer? = nil) -> Answer {
    let survey = Survey(claims, schedules: ground.schedules)
    switch solveOnce ?? search(claims, survey, .loose, held: 0) {
    case .impossible: return .impossible
    case .undecided(let reason): return .undecided(reason)
    case .possible(let witness):
      if !survey.remembers && survey.open == nil && !claims.contains(where: \.recurs) {
        return .possible(witness)
      }
    }
    guard let moments = moments(claims) else { return .undecided("too many spans of time to look at") }
    var reason = survey.open ?? "what was before"
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

  /// Whether the claims cannot be the case together, whatever was before.
  func excludes(_ claims: [Claim]) -> Bool { solveOnce(claims).isImpossible }

  /// Whether the claims may be the case at one moment, if what was before allows it.
  func solveOnce(_ claims: [Claim], isReversed: Bool = false) -> Answer {
    let survey = Survey(claims, schedules: ground.schedules)
    return search(claims, survey, .loose, held: 0, isReversed: isReversed)
  }

  private func search(
    _ claims: [Claim], _ survey: Survey, _ mode: SolverVariables.Mode, held: Int64, isReversed: Bool = false
  ) -> Answer {
    var space = SolverVariables(survey, mode: mode, held: held, ground: ground)
    space.isReversed = isReversed
    let formula = space.formula(of: claims)
    let all = [Bool](repeating: true, count: space.variables.count)
    var search = SatisfiabilitySearch(
      formula, isFixed: all, counts: space.variables.map(\.cells.count), budget: Self.mostChoices)
    switch search.run() {
    case .satisfiable(let cells): return .possible(space.witness(cells))
    case .unsatisfiable: return .impossible
    case .undecided: return .undecided("too many combinations of facts")
    }
  }

  /// The moments, in nanoseconds after everything was published, at which the answer may change.
  private func moments(_ claims: [Claim]) -> [Int64]? {
    var points: Set<Int64> = [0]
    for claim in claims {
      guard let condition = claim.condition else { continue }
      guard let more = condition.breakpoints(ground) else { return nil }
      points.formUnion(more)
      if case .staysFalse(let span) = claim.mode {
        points.formUnion(more.map { $0 + min(span.nanoseconds, .max / 4) })
      }
    }
    let sorted = points.sorted()
    guard sorted.count <= 24 else { return nil }
    // What recurs does so when everything has come to rest.
    return claims.contains(where: \.recurs) ? sorted.suffix(1) : sorted
  }
}
