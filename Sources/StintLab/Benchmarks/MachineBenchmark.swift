import StintMachine
import StintModel
import StintRuntime
import StintTools
import StintUnits

/// How fast the rule machine decides on this computer, beside two yardsticks that decide the same.
struct MachineBenchmark: Hashable, Sendable {
  /// The figures of one number of rules; times in nanoseconds.
  struct Row: Hashable, Sendable {
    var rules: Int
    /// Of the machine's decisions on all vectors; that of the reference, or the benchmark fails.
    var checksum: String
    /// From the verified image to a running machine.
    var load: Timing
    var memoryBytes: Int
    /// All facts new, and all decisions read.
    var evaluate: Timing
    /// A step of the trace, and all decisions read.
    var update: Timing
    var flatEvaluate: Timing
    var flatUpdate: Timing
    /// Nil where there is no C compiler.
    var nativeEvaluate: Double?
    var nativeUpdate: Double?
    /// The time of an update, by the number of comparisons that it flips.
    var flips: [Int: Double]
  }

  var rows: [Row]
  var machine: String

  /// Runs the workload in these files, with the first rules of it, for each of `counts`.
  init(rules: String, facts: String, updates: String, counts: [Int]) throws {
    let workload = try WorkloadReader.workload(rules: rules, facts: facts, updates: updates)
    rows = try Self.counts(counts, of: workload).map { try Self.row(workload.prefix($0)) }
    machine = SystemUsage.machine()
  }

  /// Without a choice: 10, 100, 1000 … and all.
  private static func counts(_ chosen: [Int], of workload: Workload) -> [Int] {
    guard chosen.isEmpty else { return chosen.map { min($0, workload.rules.count) } }
    var counts: [Int] = []
    var count = 10
    while count < workload.rules.count {
      counts.append(count)
      count *= 10
    }
    return counts + [workload.rules.count]
  }

  private static func row(_ workload: Workload) throws(Problem) -> Row {
    let bed = try BenchmarkSetup(workload)
    var reference = DecisionChecksum()
    for vector in workload.vectors { reference.add(workload.decisions(of: vector)) }
    let native = NativeRules(workload: workload).answer()
    var flat = FlatRun(workload)
    let flatEvaluate = flat.time(workload.vectors)
    try agree(flat.checksum(workload.vectors), reference.text, "the flat jump code")
    if let native { try agree(native.checksum, reference.text, "the C program") }
    var run = MachineRun(bed)
    let evaluate = run.time(run.vectors)
    try agree(run.checksum(run.vectors), reference.text, "the machine")
    let update = run.time(run.steps)
    return Row(
      rules: workload.rules.count, checksum: reference.text, load: MachineRun.load(bed),
      memoryBytes: MachineRun.memory(bed), evaluate: evaluate, update: update, flatEvaluate: flatEvaluate,
      flatUpdate: flat.time(workload.trace), nativeEvaluate: native?.evaluateNanoseconds,
      nativeUpdate: native?.updateNanoseconds, flips: try ComparisonFlipRun.figures(bed))
  }

  private static func agree(_ sum: String, _ reference: String, _ who: String) throws(Problem) {
    guard sum != reference else { return }
    throw Problem(
      .content, place: "bench machine", cause: "\(who) decided \(sum), the reference \(reference)",
      remedy: "this is a fault of stint; please report it")
  }
}
