import StintFormats
import StintTools
import StintUnits

extension StepBenchmark {
  /// Returns the figures as a table for people.
  func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["a step of the governor, \(Amounts.count(rules)) rules", ""], .heading)
    table.add(["  1–3 facts change, no decision changes", Timing.text(quiet.median)], .total)
    table.add(["    fastest … slowest pass", quiet.spread], .quiet)
    table.add(["    baseline: flat array of comparisons", Timing.text(flat.median)])
    table.add(["    times faster", "\(Int((flat.median / max(quiet.median, 1)).rounded()))"])
    table.add(["  a step of the trace (most steps change a decision)", Timing.text(trace.median)])
    if let calls {
      table.add(["  in at most 100,000 quiet steps: allocations", Amounts.count(calls.governorAllocations)])
      table.add(["    locks", Amounts.count(calls.governorLocks)])
      table.add([
        "  in at most 100,000 trace steps of the rule VM: allocations",
        Amounts.count(calls.ruleVMAllocations),
      ])
      table.add(["    locks", Amounts.count(calls.ruleVMLocks)])
    }
    table.add(["  checksum of grants", checksum], .quiet)
    return table.text(paint) + "\n" + paint.quiet("  \(machine)")
  }

  /// The figures as one JSON object on one line.
  var jsonText: String {
    JSONWriter.text(of: [
      "rules": JSONValue(rules), "checksum": JSONValue(checksum), "quiet_ns": JSONValue(quiet.median),
      "trace_ns": JSONValue(trace.median), "yardsticks": ["flat_quiet_ns": JSONValue(flat.median)],
      "calls": calls?.json ?? JSONValue.null, "machine": JSONValue(machine),
    ])
  }
}

extension StepBenchmark.Calls {
  fileprivate var json: JSONValue {
    [
      "governor_allocations": JSONValue(governorAllocations), "governor_locks": JSONValue(governorLocks),
      "machine_allocations": JSONValue(ruleVMAllocations), "machine_locks": JSONValue(ruleVMLocks),
    ]
  }
}
