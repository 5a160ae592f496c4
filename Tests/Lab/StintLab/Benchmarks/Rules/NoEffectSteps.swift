/// Steps that change one to three fields but no rule's result. Most sensor data is of this kind.
struct NoEffectSteps {
  /// The vector before the first step.
  let start: [Double]
  /// The fields and their new values. The second half of the steps reverts the first half, so the last step
  /// restores `start`.
  private(set) var steps: [[(field: Int, value: Double)]] = []

  /// Selects values from the trace in a deterministic order.
  init(_ workload: Workload, count: Int = 1000) {
    start = workload.trace[0]
    var vector = start
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let readers = workload.readers
    var back: [[(field: Int, value: Double)]] = []
    var tries = 0
    while steps.count < count / 2, tries < 200 * count {
      tries += 1
      var candidate = vector
      var changes: [(field: Int, value: Double)] = []
      for _ in 0...next(3) {
        let field = next(vector.count)
        let value = workload.trace[next(workload.trace.count)][field]
        guard value != vector[field], !changes.contains(where: { $0.field == field }) else { continue }
        candidate[field] = value
        changes.append((field, value))
      }
      let affectedRules = changes.flatMap { readers[$0.field] }
      guard !changes.isEmpty,
        affectedRules.allSatisfy({
          workload.rules[$0].condition.holds(of: vector) == workload.rules[$0].condition.holds(of: candidate)
        })
      else { continue }
      back.append(changes.map { ($0.field, vector[$0.field]) })
      steps.append(changes)
      vector = candidate
    }
    steps += back.reversed()
  }
}

extension Workload {
  /// For each field, the indices of the rules that read it.
  var readers: [[Int]] {
    var readers = Array(repeating: [Int](), count: fields.count)
    func gather(_ condition: WorkloadRule.Condition, _ rule: Int) {
      switch condition {
      case .and(let parts), .or(let parts): for part in parts { gather(part, rule) }
      case .compare(let field, _, _): if readers[field].last != rule { readers[field].append(rule) }
      }
    }
    for (number, rule) in rules.enumerated() { gather(rule.condition, number) }
    return readers
  }
}
