import StintMachine
import StintModel
import StintTools
import StintUnits

/// Measures the time of updates that change the results of a chosen number of comparisons. The time of such
/// an update should not depend on the number of rules.
enum ComparisonFlipRun {
  static let flips = [1, 4, 16]

  /// Returns the nanoseconds of an update, by the number of comparisons that it changes.
  static func figures(_ setup: BenchmarkSetup) throws(Problem) -> [Int: Double] {
    var figures: [Int: Double] = [:]
    for count in flips {
      let steps = walk(setup.workload, flipping: count)
      guard !steps.isEmpty else { continue }
      let now = Instant(nanoseconds: 1_000_000_000)
      var ruleVM = RuleVM(image: setup.image, timeZone: .utc, at: now)
      for update in setup.updates(setup.workload.vectors[0]) {
        ruleVM.set(fact: update.fact, update.value, at: now)
      }
      ruleVM.evaluate(at: now)
      let updates = ContiguousArray(
        steps.map { FactUpdate(fact: setup.facts[$0.field], value: setup.value($0.value, of: $0.field)) })
      figures[count] =
        Timing.of(updates.count) {
          for update in updates {
            ruleVM.set(fact: update.fact, update.value, at: now)
            ruleVM.evaluate(at: now)
          }
        }.median
    }
    return figures
  }

  /// Returns updates that each move the value of one field across `count` constants. The result is empty when
  /// the workload has too few constants. The second half of the updates is the first half in reverse order,
  /// so that they can be repeated.
  private static func walk(_ workload: Workload, flipping count: Int) -> [(field: Int, value: Double)] {
    let limits = limits(of: workload)
    var forward: [(field: Int, value: Double)] = []
    for place in 0..<(1000 / count) {
      for field in workload.fields.indices {
        // The new value is halfway between two constants, so that each update crosses `count` constants.
        let low = place * count
        guard case .quantity = workload.fields[field].type, low + 1 < limits[field].count else { continue }
        if limits[field][low] < limits[field][low + 1] {
          forward.append((field, (limits[field][low] + limits[field][low + 1]) / 2))
        }
      }
    }
    return forward.count < 4 ? [] : forward + forward.reversed()
  }

  /// Returns, for each field, the sorted constants that rules compare with it, including duplicates.
  private static func limits(of workload: Workload) -> [[Double]] {
    var limits = Array(repeating: [Double](), count: workload.fields.count)
    func gather(_ condition: WorkloadRule.Condition) {
      switch condition {
      case .and(let parts), .or(let parts): for part in parts { gather(part) }
      case .compare(let field, _, let limit): limits[field].append(limit)
      }
    }
    for rule in workload.rules { gather(rule.condition) }
    return limits.map { $0.sorted() }
  }
}
