import StintGovernor
import StintLanguage
import StintModel
import StintUnits

/// A simulation of one solution of `ObstacleSearch` with a copy of the governor. The simulation publishes
/// facts with a maximum age repeatedly, so that they stay known.
struct TrialRun {
  private let governor: Governor
  /// The paths of the facts that the conditions read.
  private let paths: [String]
  /// True to wake the processor as soon as a periodic rule with `flex` can act.
  private let takesOpportunities: Bool

  init(_ governor: Governor, of conditions: [CheckedExpression], takesOpportunities: Bool = false) {
    self.governor = governor
    self.takesOpportunities = takesOpportunities
    paths = FactCandidates(conditions, vocabulary: governor.vocabulary).paths
  }

  /// Returns the instant at which `happens` becomes true. Returns nil when `happens` is still false at the
  /// instant of the solution.
  func instant(_ way: ObstacleSearch.Way, happens: (Governor) -> Bool) -> Instant? {
    state(way, happens: happens)?.now
  }

  /// Returns the governor at the instant at which `happens` becomes true. Returns nil when `happens` is still
  /// false `waiting` after the instant of the solution.
  func state(
    _ way: ObstacleSearch.Way, waiting: TimeSpan = .zero, happens: (Governor) -> Bool
  ) -> Governor? {
    var copy = governor
    let changes: [Input] = way.changes.compactMap { change in
      copy.vocabulary.fact(change.path).map { .fact($0, change.value) }
    }
    _ = copy.step(changes, at: copy.now)
    let repeated = factsToRepeat(in: copy)
    let end = way.at + waiting
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

  /// Returns the facts to publish repeatedly, and the period: half of the shortest maximum age.
  private func factsToRepeat(in governor: Governor) -> (inputs: [Input], period: TimeSpan) {
    var inputs: [Input] = []
    var shortest: TimeSpan?
    for path in paths {
      guard let number = governor.vocabulary.fact(path), number < governor.vocabulary.firstComputed,
        governor.facts.value(number) != .unknown, let age = governor.vocabulary.facts[number].maxAge
      else { continue }
      inputs.append(.fact(number, governor.facts.value(number)))
      shortest = min(shortest ?? age, age)
    }
    guard let shortest, shortest > .zero else { return ([], .hours(24 * 365)) }
    return (inputs, TimeSpan(nanoseconds: max(shortest.nanoseconds / 2, 1)))
  }
}
