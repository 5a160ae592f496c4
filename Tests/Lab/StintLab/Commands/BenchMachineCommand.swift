import StintCommands
import StintTools

/// `stint-lab bench machine`.
enum BenchMachineCommand {
  static let definition = CommandDefinition(
    name: "bench machine", operands: "", operandCount: 0...0,
    meaning: "measure how fast the rule VM decides",
    detail: "The workload consists of three JSON files: rules, vectors of facts, and a trace of vectors.\n"
      + "The rule VM, a flat array of comparisons, and a C program must make the decisions of the reference.\n"
      + "Without --count, it measures the first 10, 100, 1000 … rules, and then all rules.",
    options: WorkloadFiles.options,
    run: { arguments, console in
      let files = try WorkloadFiles(arguments)
      let benchmark = try RuleVMBenchmark(
        rules: files.rules, facts: files.facts, updates: files.updates,
        counts: files.count > 0 ? [files.count] : [])
      try console.figures(benchmark.text(console.resultPaint), benchmark.jsonText, of: "machine", arguments)
      return .fine
    })
}
