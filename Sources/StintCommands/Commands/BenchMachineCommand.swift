import StintTools

/// `stint bench machine`.
enum BenchMachineCommand {
  static let form = CommandForm(
    name: "bench machine", operands: "", operandCount: 0...0,
    meaning: "how fast the rule machine decides here, beside two yardsticks",
    detail: "The workload is three files of JSON: rules, vectors of facts, and a trace of vectors.\n"
      + "All must decide as the reference does: the machine, flat jump code, and the rules as C.",
    options: [
      .value("rules", "FILE", "the rules"), .value("facts", "FILE", "vectors of all facts"),
      .value("updates", "FILE", "vectors of which each changes a few facts"),
      .value("count", "N", "only the first N rules; 10, 100, 1000 and all when left out"),
      .flag("json", "the figures as a list of one JSON object for each number of rules"),
    ],
    run: { arguments, console in
      let files = try WorkloadFiles(arguments)
      let benchmark = try MachineBenchmark(
        rules: files.rules, facts: files.facts, updates: files.updates,
        counts: files.count > 0 ? [files.count] : [])
      console.result(arguments.has("json") ? benchmark.jsonText : benchmark.text(console.resultPaint))
      return .fine
    })
}
