import StintGovernor
import StintLanguage
import StintModel
import StintUnits

/// A simulation of a solution of `ObstacleSearch`, with a copy of a governor. Facts with a maximum age are
/// published repeatedly, so that they stay known. A fact whose age the conditions test is published
/// repeatedly only if it is in `arriving`.
struct TrialRun {
  private let governor: Governor
  /// The facts in the conditions.
  private let facts: FactCandidates
  /// The paths of facts that keep getting new values.
  private let arriving: Set<String>
  /// The maximum number of repeated publications of a fact. A fact that would need more publications
  /// is published less often, and becomes too old for the conditions.
  private static let maxRepetitions: Int64 = 20_000
  /// True to wake the processor as soon as a periodic rule with `flex` can act. Without such a wake-up, the
  /// rule waits for a wake-up for another reason, but at most for the time `flex`.
  private let takesOpportunities: Bool

  init(
    _ governor: Governor, of conditions: [CheckedExpression], arriving: Set<String> = [],
    takesOpportunities: Bool = false
  ) {
    self.governor = governor
    self.arriving = arriving
    self.takesOpportunities = takesOpportunities
    facts = FactCandidates(conditions, vocabulary: governor.vocabulary)
  }

  /// Returns the instant at which `happens` becomes true. Returns nil when `happens` is still false at the
  /// instant of the solution.
  func instant(_ solution: ObstacleSearch.Solution, happens: (Governor) -> Bool) -> Instant? {
    state(solution, happens: happens)?.now
  }

  /// Returns the governor at the instant at which `happens` becomes true. Returns nil when `happens` is still
  /// false at the end of the span `waiting`, which begins at the instant of the solution.
  func state(
    _ solution: ObstacleSearch.Solution, waiting: TimeSpan = .zero, happens: (Governor) -> Bool
  ) -> Governor? {
    var copy = governor
    let changes: [Input] = solution.changes.compactMap { change in
      copy.vocabulary.fact(change.path).map { .fact($0, change.value) }
    }
    _ = copy.step(changes, at: copy.now)
    var repeated = factsToRepeat(in: copy)
    let end = solution.at + waiting
    let least = (end - copy.now).nanoseconds / Self.maxRepetitions
    repeated.period = max(repeated.period, TimeSpan(nanoseconds: least))
    var refresh = copy.now + repeated.period
    while !happens(copy) {
      let opportunity = takesOpportunities ? copy.nextOpportunity : .distantFuture
      let next = max(min(copy.nextTimer, opportunity, end, refresh), copy.now)
      guard next < end || copy.now < end else { return nil }
      _ = copy.step(next == refresh ? repeated.inputs : [], at: next)
      if next == refresh { refresh = next + repeated.period }
    }
    return copy
  }

  /// Returns the facts to publish repeatedly, and the period: half of the shortest age that matters.
  private func factsToRepeat(in governor: Governor) -> (inputs: [Input], period: TimeSpan) {
    let values = PresentValues(governor)
    var inputs: [Input] = []
    var shortest: TimeSpan?
    for path in facts.paths {
      guard let number = governor.vocabulary.fact(path), number < governor.vocabulary.firstComputed,
        values[number] != .unknown, let age = longestAge(of: path, number)
      else { continue }
      inputs.append(.fact(number, values[number]))
      shortest = min(shortest ?? age, age)
    }
    guard let shortest, shortest > .zero else { return ([], .hours(24 * 365)) }
    return (inputs, TimeSpan(nanoseconds: max(shortest.nanoseconds / 2, 1)))
  }

  /// Returns the largest permitted age of a fact; nil for a fact that is not published again.
  private func longestAge(of path: String, _ number: Int) -> TimeSpan? {
    let maxAge = governor.vocabulary.facts[number].maxAge
    guard let age = facts.ages[path] else { return maxAge }
    guard arriving.contains(path) else { return nil }
    return min(age, maxAge ?? age)
  }
}
