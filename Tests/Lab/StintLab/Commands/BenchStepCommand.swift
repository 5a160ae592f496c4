import StintCommands
import StintTools

/// `stint-lab bench step`.
enum BenchStepCommand {
  static let definition = CommandDefinition(
    name: "bench step", operands: "", operandCount: 0...0,
    meaning: "measure a whole step of the governor",
    detail: "The workload is that of bench machine; each device has one demand.",
    options: WorkloadFiles.options,
    run: { arguments, console in
      let files = try WorkloadFiles(arguments)
      let benchmark = try StepBenchmark(
        rules: files.rules, facts: files.facts, updates: files.updates, count: files.count)
      try console.figures(benchmark.text(console.resultPaint), benchmark.jsonText, of: "step", arguments)
      return .fine
    })
}
