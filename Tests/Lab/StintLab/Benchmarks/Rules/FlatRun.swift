/// Runs `FlatRules` on a workload.
struct FlatRun {
  private let rules: FlatRules
  private var winners: ContiguousArray<Int32>

  init(_ workload: Workload) {
    rules = FlatRules(workload)
    winners = ContiguousArray(repeating: 0, count: workload.deviceCount)
  }

  mutating func time(_ vectors: [[Double]]) -> Timing {
    let rows = ContiguousArray(vectors.map { ContiguousArray($0) })
    return Timing.of(rows.count) { for row in rows { rules.decide(row, into: &winners) } }
  }

  mutating func checksum(_ vectors: [[Double]]) -> String {
    var sum = DecisionChecksum()
    for vector in vectors {
      rules.decide(ContiguousArray(vector), into: &winners)
      sum.add(winners.lazy.map { Int($0) })
    }
    return sum.text
  }
}
