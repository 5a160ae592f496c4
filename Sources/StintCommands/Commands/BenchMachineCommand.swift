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
      guard let rules = arguments.text("rules"), let facts = arguments.text("facts"),
        let updates = arguments.text("updates")
      else {
        throw UsageError(
          "--rules, --facts and --updates name the workload", hint: "as in --rules rules.json --facts …")
      }
      let count = try arguments.number("count", in: 0...1_000_000, otherwise: 0)
      let benchmark = try MachineBenchmark(
        rules: rules, facts: facts, updates: updates, counts: count > 0 ? [count] : [])
      console.result(arguments.has("json") ? benchmark.jsonText : benchmark.text(console.resultPaint))
      return .fine
    })
}
