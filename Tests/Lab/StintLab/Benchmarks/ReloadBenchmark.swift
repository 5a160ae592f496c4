import StintFormats
import StintGovernor
import StintModel
import StintRuntime
import StintTools
import StintUnits

/// The time for which no step can run during a reload.
struct ReloadBenchmark: Hashable, Sendable {
  var rules: Int
  /// The pauses for two reloads: `same` for unchanged rules, `edited` for rules with one changed condition.
  var same: Timing
  var edited: Timing
  /// The work outside the pause: the preparation before the reload, and the report after it.
  var preparation: Timing
  var report: Timing
  /// The pause in a daemon with `rules` rules: for each edit, the longest call of `applyPrepared`.
  var daemon: Timing
  /// The computer of the run: its system and its processors.
  var machine: String

  /// Reloads the first `count` rules of a workload, with a demand on each device. A `count` of 0 means 1000.
  init(rules: String, facts: String, updates: String, count: Int) throws {
    let all = try WorkloadReader.workload(rules: rules, facts: facts, updates: updates)
    let workload = all.prefix(count > 0 ? count : 1000)
    let setup = try BenchmarkSetup(workload)
    var other = workload
    other.rules[0].condition = .or([other.rules[0].condition, .compare(0, .less, -1)])
    let edit = try BenchmarkSetup(other).program()
    let program = setup.program()
    var run = try GovernorRun(setup)
    run.take(run.inputs(workload.vectors[0]))
    self.rules = workload.rules.count
    // The last reload. It is stored so that its old state is freed outside the measured time.
    var last: Reload?
    func prepared(_ program: Program) throws -> PreparedProgram {
      last = nil
      return try run.prepare(program)
    }
    same = try Timing.of(1, passes: 25, preparing: { try prepared(program) }, { last = try run.exchange($0) })
    var isEdited = false
    edited = try Timing.of(
      1, passes: 26,
      preparing: {
        isEdited.toggle()
        return try prepared(isEdited ? edit : program)
      }, { last = try run.exchange($0) })
    preparation = try Timing.of(1, passes: 9) { _ = try run.prepare(program) }
    report = Timing.of(1, passes: 9) { _ = last?.report }
    daemon = try DaemonReload.measure(rules: self.rules)
    machine = SystemUsage.machine()
  }

  /// Returns the figures as a table for people.
  func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["pause of steps, reload of \(Amounts.count(rules)) rules", ""], .heading)
    table.add(["  unchanged rules", Timing.text(same.median)], .total)
    table.add(["    fastest … slowest", same.spread], .quiet)
    table.add(["  one rule edited", Timing.text(edited.median)], .total)
    table.add(["    fastest … slowest", edited.spread], .quiet)
    table.add(["  in the daemon, one rule edited in each file", Timing.text(daemon.median)], .total)
    table.add(["    fastest … slowest", daemon.spread], .quiet)
    table.add(["  outside the pause: preparation", Timing.text(preparation.median)])
    table.add(["    migration report", Timing.text(report.median)])
    return table.text(paint) + "\n" + paint.quiet("  \(machine)")
  }

  /// The figures as one JSON object on one line.
  var jsonText: String {
    JSONWriter.text(of: [
      "rules": JSONValue(rules), "same_ns": JSONValue(same.median), "edited_ns": JSONValue(edited.median),
      "preparation_ns": JSONValue(preparation.median), "report_ns": JSONValue(report.median),
      "daemon_ns": JSONValue(daemon.median),
      "machine": JSONValue(machine),
    ])
  }
}
