import StintFormats
import StintGovernor
import StintModel
import StintRuntime
import StintUnits

/// For how long no step can run while policies are exchanged.
public struct ReloadBenchmark: Hashable, Sendable {
  public var rules: Int
  /// The same rules again; and with the constants of one rule changed.
  public var same: Timing
  public var edited: Timing
  public var machine: String

  /// Exchanges the first so many rules of a workload, with a demand on each device; 0 for a thousand.
  public init(rules: String, facts: String, updates: String, count: Int) throws {
    let all = try WorkloadReader.workload(rules: rules, facts: facts, updates: updates)
    let workload = all.prefix(count > 0 ? count : 1000)
    let bed = try BenchmarkBed(workload)
    var other = workload
    other.rules[0].condition = .or([other.rules[0].condition, .compare(0, .less, -1)])
    let edit = try BenchmarkBed(other).program()
    let program = bed.program()
    var run = try GovernorRun(bed)
    run.take(run.inputs(workload.vectors[0]))
    self.rules = workload.rules.count
    same = try Timing.of(1, passes: 15) { try run.exchange(program) }
    var isEdited = false
    edited = try Timing.of(1, passes: 16) {
      isEdited.toggle()
      try run.exchange(isEdited ? edit : program)
    }
    machine = SystemUsage.machine()
  }

  /// The figures for people.
  public func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["exchanging \(Amounts.count(rules)) rules, no step runs for", ""], .heading)
    table.add(["  the same rules", Timing.text(same.median)], .total)
    table.add(["    fastest … slowest", same.spread], .quiet)
    table.add(["  one rule edited", Timing.text(edited.median)], .total)
    table.add(["    fastest … slowest", edited.spread], .quiet)
    return table.text(paint) + "\n" + paint.quiet("  \(machine)")
  }

  /// The figures as one JSON object on one line.
  public var jsonText: String {
    JSONWriter.text(of: [
      "rules": JSONValue(rules), "same_ns": JSONValue(same.median), "edited_ns": JSONValue(edited.median),
      "machine": JSONValue(machine),
    ])
  }
}
