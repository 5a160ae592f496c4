import StintMachine
import StintModel
import StintRuntime
import StintTools
import StintUnits

/// The speed of the rule VM on this computer. `FlatRules` and a C program make the same decisions,
/// as baselines.
struct RuleVMBenchmark: Hashable, Sendable {
  /// The figures for one number of rules. All times are in nanoseconds.
  struct Row: Hashable, Sendable {
    var rules: Int
    /// The checksum of the rule VM's decisions on all vectors. The benchmark fails when this checksum differs
    /// from the checksum of the reference.
    var checksum: String
    /// The time from the verified image to a running rule VM.
    var load: Timing
    var memoryBytes: Int
    /// The time to set all facts, evaluate the rules and read all decisions.
    var evaluate: Timing
    /// The time to set the changed facts of a step of the trace, evaluate the rules and read all decisions.
    var update: Timing
    var flatEvaluate: Timing
    var flatUpdate: Timing
    /// The times of the same rules in a C program, in nanoseconds; nil without clang.
    var nativeEvaluate: Double?
    var nativeUpdate: Double?
    /// The time of an update in nanoseconds, by the number of comparisons that the update changes.
    var flips: [Int: Double]
  }

  var rows: [Row]
  /// The computer of the run: its system and its processors.
  var machine: String

  /// Measures the workload in the files once for each element of `counts`. Each measurement uses that number
  /// of rules from the start of the workload. An empty `counts` selects 10, 100, 1000 … and all rules.
  init(rules: String, facts: String, updates: String, counts: [Int]) throws {
    let workload = try WorkloadReader.workload(rules: rules, facts: facts, updates: updates)
    rows = try Self.counts(counts, of: workload).map { try Self.row(workload.prefix($0)) }
    machine = SystemUsage.machine()
  }

  /// Returns the numbers of rules to measure: `chosen`, or 10, 100, 1000 … and all when `chosen` is empty.
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
    let setup = try BenchmarkSetup(workload)
    var reference = DecisionChecksum()
    for vector in workload.vectors { reference.add(workload.decisions(of: vector)) }
    let native = NativeRules(workload: workload).answer()
    var flat = FlatRun(workload)
    let flatEvaluate = flat.time(workload.vectors)
    try agree(flat.checksum(workload.vectors), reference.text, "the flat array of comparisons")
    if let native { try agree(native.checksum, reference.text, "the C program") }
    var run = RuleVMRun(setup)
    let evaluate = run.time(run.vectors)
    try agree(run.checksum(run.vectors), reference.text, "the rule VM")
    let update = run.time(run.steps)
    return Row(
      rules: workload.rules.count, checksum: reference.text, load: RuleVMRun.load(setup),
      memoryBytes: RuleVMRun.memory(setup), evaluate: evaluate, update: update, flatEvaluate: flatEvaluate,
      flatUpdate: flat.time(workload.trace), nativeEvaluate: native?.evaluateNanoseconds,
      nativeUpdate: native?.updateNanoseconds, flips: try ComparisonFlipRun.figures(setup))
  }

  private static func agree(_ sum: String, _ reference: String, _ who: String) throws(Problem) {
    guard sum != reference else { return }
    throw Problem(
      .content, place: "bench machine", cause: "\(who) decided \(sum), the reference \(reference)",
      remedy: "this is a bug in Stint; please report it")
  }
}
