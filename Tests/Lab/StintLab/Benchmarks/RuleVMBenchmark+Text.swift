import StintFormats
import StintTools
import StintUnits

extension RuleVMBenchmark {
  /// Returns the figures as a table for people, with a column for each number of rules.
  func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(["rules"] + rows.map { Amounts.count($0.rules) }, .heading)
    let cells = { (title: String, cell: (Row) -> String, weight: TextTable.Weight) in
      table.add([title] + rows.map(cell), weight)
    }
    cells("  all facts change", { Timing.text($0.evaluate.median) }, .total)
    cells("    fastest … slowest pass", { $0.evaluate.spread }, .quiet)
    cells("    baseline: flat array of comparisons", { Timing.text($0.flatEvaluate.median) }, .plain)
    cells("    C, clang -O2", { $0.nativeEvaluate.map(Timing.text) ?? "no clang" }, .plain)
    cells("  one step of the trace", { Timing.text($0.update.median) }, .total)
    cells("    fastest … slowest pass", { $0.update.spread }, .quiet)
    cells("    baseline: flat array of comparisons", { Timing.text($0.flatUpdate.median) }, .plain)
    cells("    C, clang -O2", { $0.nativeUpdate.map(Timing.text) ?? "no clang" }, .plain)
    for count in ComparisonFlipRun.flips {
      let noun = count == 1 ? "comparison" : "comparisons"
      cells("  changing \(count) \(noun)", { $0.flips[count].map(Timing.text) ?? "-" }, .plain)
    }
    cells("  load time of a verified image", { Timing.text($0.load.median) }, .plain)
    cells("  memory", { Quantity(Double($0.memoryBytes), .data).description }, .plain)
    cells("  checksum of decisions", { $0.checksum }, .quiet)
    return table.text(paint) + "\n" + paint.quiet("  \(machine)")
  }

  /// A JSON array on one line, with one object for each number of rules.
  var jsonText: String { JSONWriter.text(of: JSONValue(rows.map(\.json))) }
}

extension RuleVMBenchmark.Row {
  fileprivate var json: JSONValue {
    let native = nativeEvaluate.map { JSONValue($0) } ?? JSONValue(.null)
    return [
      "rules": JSONValue(rules), "checksum": JSONValue(checksum), "load_ns": JSONValue(load.median),
      "memory_bytes": JSONValue(memoryBytes), "evaluate_ns": JSONValue(evaluate.median),
      "update_ns": JSONValue(update.median),
      "yardsticks": [
        "flat_evaluate_ns": JSONValue(flatEvaluate.median), "flat_update_ns": JSONValue(flatUpdate.median),
        "c_evaluate_ns": native,
      ],
      "flips_ns": JSONValue(
        .object(flips.keys.sorted().map { JSONMember("\($0)", JSONValue(flips[$0] ?? 0)) })),
    ]
  }
}
