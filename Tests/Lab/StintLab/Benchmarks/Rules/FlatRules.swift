import StintModel

/// A baseline: a simple rule engine. All rules form one array of comparisons with jumps, and each decision
/// evaluates every rule.
struct FlatRules: Sendable {
  private struct Step {
    var field: Int32
    var comparison: Comparison
    var limit: Double
    /// The index of the next step when the comparison is true, and when it is false; or `matches` or `fails`.
    var yes: Int32
    var no: Int32
  }

  /// The jump targets that end a rule: at `matches` the rule matches, at `fails` it does not.
  private static let matches: Int32 = -2
  private static let fails: Int32 = -1

  private var steps: ContiguousArray<Step> = []
  private var rules: ContiguousArray<(first: Int32, device: Int32, priority: Int32)> = []

  init(_ workload: Workload) {
    for rule in workload.rules {
      let first = emit(rule.condition, yes: Self.matches, no: Self.fails)
      rules.append((first, Int32(rule.device), Int32(rule.priority)))
    }
  }

  /// Emits a condition from its last comparison to its first. Returns the index of its first comparison.
  private mutating func emit(_ condition: WorkloadRule.Condition, yes: Int32, no: Int32) -> Int32 {
    switch condition {
    case .and(let parts):
      return parts.reversed().reduce(yes) { next, part in emit(part, yes: next, no: no) }
    case .or(let parts):
      return parts.reversed().reduce(no) { next, part in emit(part, yes: yes, no: next) }
    case .compare(let field, let comparison, let limit):
      steps.append(Step(field: Int32(field), comparison: comparison, limit: limit, yes: yes, no: no))
      return Int32(steps.count - 1)
    }
  }

  /// Writes for each device the priority of its winning rule; 0 when no rule matches.
  func decide(_ vector: ContiguousArray<Double>, into winners: inout ContiguousArray<Int32>) {
    for device in winners.indices { winners[device] = 0 }
    for rule in rules {
      var next = rule.first
      while next >= 0 {
        let step = steps[Int(next)]
        next = step.comparison.holds(vector[Int(step.field)], step.limit) ? step.yes : step.no
      }
      if next == Self.matches, winners[Int(rule.device)] < rule.priority {
        winners[Int(rule.device)] = rule.priority
      }
    }
  }
}
