import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// A search for changes of facts after which a rule acts or comes into force as early as possible.
///
/// A `while` or `always` rule is in force while its condition is true. A `when` rule and a transition of a
/// state machine act when their condition becomes true; if it is true already, it must first become false. An
/// `every` rule acts at the end of a period. A copy of the governor confirms each instant.
struct RuleSearch {
  struct Result {
    /// The changes, each with the value that the fact has before the change.
    var changes: [(path: String, present: FactValue, needed: FactValue)] = []
    /// The earliest instant at which the rule acts after these changes; nil when it is unknown.
    var earliest: Instant?
    /// The instant at which the rule acts if no fact changes; nil when it then never acts.
    var unaided: Instant?
    /// The facts that keep getting new values until `earliest` in the simulation.
    var arriving: Set<String> = []
    /// The facts that must or must not get new values before `earliest`.
    var awaited = AwaitedValues()
  }

  private let governor: Governor
  private let policy: CheckedPolicy
  private let rule: CheckedRule
  private let condition: CheckedExpression

  /// Creates a search. An `every` rule without a condition gets a condition that is always true. Nil for
  /// other rules without a condition.
  init?(_ governor: Governor, _ policy: CheckedPolicy, _ rule: CheckedRule) {
    self.governor = governor
    self.policy = policy
    self.rule = rule
    if let condition = rule.trigger.condition {
      self.condition = condition
    } else if case .every = rule.trigger {
      condition = CheckedExpression(kind: .constant(.boolean(true)), type: .boolean, span: rule.span)
    } else {
      return nil
    }
  }

  /// Returns the earliest solution.
  func result() -> Result {
    switch rule.trigger {
    case .always, .whilst:
      // The rule of a transition is in force only within one step, so the test also compares how often the
      // rule has acted.
      let acts = acts(after: governor)
      let result = search { $0.rulesInForce.contains(rule.id) || acts($0) }
      return result.earliest == nil && result.changes.isEmpty ? Result(changes: otherState) : result
    case .every(let period, let flex, _):
      var result = search(waiting: period + (flex ?? .zero), happens: acts(after: governor))
      guard flex != nil else { return result }
      // The rule acts when its timer expires, or earlier when the processor wakes for another reason.
      let soonest = search(waiting: period, happens: acts(after: governor), takesOpportunities: true)
      (result.changes, result.earliest, result.awaited) = (soonest.changes, soonest.earliest, soonest.awaited)
      return result
    case .when:
      guard truth(in: governor) == .yes else { return edge() }
      return edgeAfterFall()
    }
  }

  /// The state in which a transition starts, if the state machine is in another state now. A change of a fact
  /// alone does not lead to the starting state, so the instant is unknown. Empty for other rules.
  private var otherState: [(path: String, present: FactValue, needed: FactValue)] {
    guard policy.moves.contains(where: { $0.rule == rule.id }), case .and(let parts) = condition.kind,
      case .oneOf(let machine, let states)? = parts.first?.kind, case .fact(let path) = machine.kind,
      let state = states.first, value(path) != state
    else { return [] }
    return [(path, value(path), state)]
  }

  // MARK: Rules with `when`

  /// Returns the result for a condition that is not true now.
  private func edge() -> Result {
    let prompt = search(happens: acts(after: governor))
    guard prompt.earliest == nil, case .when(_, let pause?) = rule.trigger else { return prompt }
    return later(by: pause)
  }

  /// Returns the result for a condition that is true now. Searches for the earliest instant at which the
  /// condition can become false, and then for the earliest instant at which it can become true again.
  private func edgeAfterFall() -> Result {
    let fall = search(wanted: false) { truth(in: $0) != .yes }
    guard let instant = fall.earliest,
      let fallen = trial(governor, arriving: fall.arriving)
        .state(Self.solution(fall, at: instant), happens: { truth(in: $0) != .yes }),
      let next = RuleSearch(fallen, policy, rule)
    else { return Result() }
    let rise = next.edge()
    guard let earliest = rise.earliest else { return Result() }
    return Result(
      changes: fall.changes + rise.changes, earliest: earliest,
      unaided: fall.changes.isEmpty ? rise.unaided : nil, awaited: rise.awaited)
  }

  /// Returns the result for a rule that ignores its condition for the time `pause` after it acted. The
  /// changes are made as soon as the rule can act again.
  private func later(by pause: TimeSpan) -> Result {
    var (early, late) = (Int64(0), pause.nanoseconds)
    guard let last = result(after: late) else { return Result() }
    var best = last
    while late - early > 1 {
      let middle = early + (late - early) / 2
      if let found = result(after: middle) { (late, best) = (middle, found) } else { early = middle }
    }
    return best
  }

  /// Returns the result when facts change only after this number of nanoseconds. Nil when the rule cannot act
  /// at that time, or when its condition is already true at that time.
  private func result(after nanoseconds: Int64) -> Result? {
    let end = governor.now + TimeSpan(nanoseconds: nanoseconds)
    let idle = ObstacleSearch.Solution(changes: [], at: end)
    guard let waited = trial(governor).state(idle, happens: { $0.now >= end }),
      truth(in: waited) != .yes, let next = RuleSearch(waited, policy, rule)
    else { return nil }
    let result = next.search(happens: next.acts(after: waited))
    return result.earliest == nil ? nil : result
  }

  // MARK: Searches

  private func search(
    wanted: Bool = true, waiting: TimeSpan = .zero, happens: (Governor) -> Bool,
    takesOpportunities: Bool = false
  ) -> Result {
    let situation = Situation(governor, policy, rule.id)
    let goal = ObstacleSearch.Goal(situation: situation, condition: condition, wanted: wanted)
    let found = ArrivalSearch([goal], governor).nearest { solution, arriving in
      trial(governor, arriving: arriving, takesOpportunities: takesOpportunities)
        .state(solution, waiting: waiting, happens: happens)?.now
    }
    let changes = (found.soonest?.changes ?? []).map { ($0.path, value($0.path), $0.value) }
    return Result(
      changes: changes, earliest: found.soonest?.at, unaided: found.unaided, arriving: found.arriving,
      awaited: found.awaited)
  }

  private func value(_ path: String) -> FactValue { PresentValues(governor)[path] }

  private func trial(
    _ governor: Governor, arriving: Set<String> = [], takesOpportunities: Bool = false
  ) -> TrialRun {
    TrialRun(governor, of: [condition], arriving: arriving, takesOpportunities: takesOpportunities)
  }

  /// True for a `when` whose condition is true now. The rule acts again only after the condition was false.
  var hasActed: Bool {
    if case .when = rule.trigger { truth(in: governor) == .yes } else { false }
  }

  private func truth(in governor: Governor) -> Truth {
    Situation(governor, policy, rule.id).truth(condition)
  }

  /// Returns a function that tests whether the rule has acted more often than in `before`.
  private func acts(after before: Governor) -> (Governor) -> Bool {
    let count = Self.count(of: rule.id, in: before)
    return { Self.count(of: rule.id, in: $0) > count }
  }

  private static func count(of rule: RuleID, in governor: Governor) -> Int {
    governor.ruleUse(at: governor.now)[rule]?.count ?? 0
  }

  private static func solution(_ result: Result, at instant: Instant) -> ObstacleSearch.Solution {
    ObstacleSearch.Solution(changes: result.changes.map { ($0.path, $0.needed) }, at: instant)
  }
}
