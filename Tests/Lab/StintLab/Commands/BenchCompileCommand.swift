import StintCommands
import StintTools

/// `stint-lab bench compile` and `stint-lab bench reload`.
enum BenchCompileCommand {
  static let definition = CommandDefinition(
    name: "bench compile", operands: "[FILE...]", operandCount: 0...Int.max,
    meaning: "measure the time from policy text to a running rule VM",
    detail: "Without files, it compiles the workload of bench machine.",
    options: WorkloadFiles.options,
    run: { arguments, console in
      let benchmark: CompileBenchmark
      if arguments.operands.isEmpty {
        let files = try WorkloadFiles(arguments)
        benchmark = try CompileBenchmark(
          rules: files.rules, facts: files.facts, updates: files.updates, count: files.count)
      } else {
        benchmark = try CompileBenchmark(files: arguments.operands)
      }
      try console.figures(
        benchmark.text(console.resultPaint), benchmark.jsonText, of: "compile", arguments)
      return .fine
    })

  static let reload = CommandDefinition(
    name: "bench reload", operands: "", operandCount: 0...0,
    meaning: "measure the pause of steps during a reload",
    options: WorkloadFiles.options,
    run: { arguments, console in
      let files = try WorkloadFiles(arguments)
      let benchmark = try ReloadBenchmark(
        rules: files.rules, facts: files.facts, updates: files.updates, count: files.count)
      try console.figures(benchmark.text(console.resultPaint), benchmark.jsonText, of: "reload", arguments)
      return .fine
    })
}
