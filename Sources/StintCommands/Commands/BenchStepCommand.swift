import StintTools

/// `stint bench step`.
enum BenchStepCommand {
  static let form = CommandForm(
    name: "bench step", operands: "", operandCount: 0...0,
    meaning: "how long a whole step of the governor takes here",
    detail: "The workload is that of bench machine; each device is demanded once.",
    options: [
      .value("rules", "FILE", "the rules"), .value("facts", "FILE", "vectors of all facts"),
      .value("updates", "FILE", "vectors of which each changes a few facts"),
      .value("count", "N", "only the first N rules; 1000 when left out"),
      .flag("json", "the figures as one JSON object"),
    ],
    run: { arguments, console in
      let files = try WorkloadFiles(arguments)
      let benchmark = try StepBenchmark(
        rules: files.rules, facts: files.facts, updates: files.updates, count: files.count)
      console.result(arguments.has("json") ? benchmark.jsonText : benchmark.text(console.resultPaint))
      return .fine
    })
}
