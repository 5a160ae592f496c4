import StintGovernor
import StintModel
import StintRuntime
import StintTools
import StintUnits

/// The CPU time of a whole step of the governor, on the workload of `bench machine`.
struct StepBenchmark: Hashable, Sendable {
  var rules: Int
  /// The checksum of the grants on all vectors. The benchmark fails when this checksum differs from the
  /// checksum of the reference.
  var checksum: String
  /// The time of a step in which one to three facts change, but no result of a rule changes.
  var quiet: Timing
  /// The time of a step of the trace; most steps change a decision.
  var trace: Timing
  /// The time that `FlatRules` takes to evaluate all rules on the vectors of the `quiet` steps.
  var flat: Timing
  /// The numbers of allocator calls and lock calls; nil without the counting library. The governor runs at
  /// most 100,000 quiet steps. The rule VM runs at most 100,000 steps of the trace.
  var calls: Calls?
  /// The computer of the run: its system and its processors.
  var machine: String

  /// The numbers of calls after loading. Each should be 0.
  struct Calls: Hashable, Sendable {
    var governorAllocations: Int
    var governorLocks: Int
    var ruleVMAllocations: Int
    var ruleVMLocks: Int
  }

  /// Runs the workload in these files with the first `count` rules; a `count` of 0 means 1000.
  init(rules: String, facts: String, updates: String, count: Int) throws {
    let all = try WorkloadReader.workload(rules: rules, facts: facts, updates: updates)
    let workload = all.prefix(count > 0 ? count : 1000)
    let setup = try BenchmarkSetup(workload)
    var run = try GovernorRun(setup)
    var reference = DecisionChecksum()
    for vector in workload.vectors { reference.add(workload.decisions(of: vector)) }
    checksum = run.checksum(workload.vectors)
    guard checksum == reference.text else {
      throw Problem(
        .content, place: "bench step",
        cause: "the governor decided \(checksum), the reference \(reference.text)",
        remedy: "this is a bug in Stint; please report it")
    }
    self.rules = workload.rules.count
    trace = run.time(workload.trace.indices.map { run.inputs(workload.trace[$0], workload.changes(at: $0)) })
    let walk = NoEffectSteps(workload)
    run.take(run.inputs(walk.start))
    let steps = walk.steps.map { run.inputs($0) }
    quiet = run.time(steps)
    flat = Self.flat(workload, walk)
    calls = run.calls(steps)
    if let inMachine = RuleVMRun(setup).calls() {
      calls?.ruleVMAllocations = inMachine.allocations
      calls?.ruleVMLocks = inMachine.locks
    }
    machine = SystemUsage.machine()
  }

  private static func flat(_ workload: Workload, _ walk: NoEffectSteps) -> Timing {
    var run = FlatRun(workload)
    var vector = walk.start
    var vectors: [[Double]] = []
    for step in walk.steps {
      for change in step { vector[change.field] = change.value }
      vectors.append(vector)
    }
    return run.time(vectors)
  }
}
