import StintCommands
import StintTools

/// `stint-lab bench sim`.
enum BenchCommand {
  static let definition = CommandDefinition(
    name: "bench sim", operands: "[FILE...]", operandCount: 0...Int.max,
    meaning: "measure how much faster than real time a simulation runs",
    detail: "Without files, no policy is active. All runs must make equal decisions.",
    options: [
      .value("scenario", "S", "a built-in scenario or a scenario file (default day-hike)"),
      .value("runs", "N", "the number of measured runs (default 5)"),
      .flag("json", "print the result as one JSON object"),
    ],
    run: { arguments, console in
      let request = SimulationRequest(
        policies: arguments.operands == ["none"] ? [] : arguments.operands,
        scenario: arguments.text("scenario") ?? "day-hike")
      let runs = try arguments.number("runs", in: 1...1000, otherwise: 5)
      let line = console.progress("bench")
      defer { line.end() }
      let benchmark = try SimulationBenchmark(request, runs: runs) { completed in
        line.update(Double(completed) / Double(runs + 1), "\(completed) of \(runs + 1) runs")
      }
      console.result(arguments.has("json") ? benchmark.jsonText : benchmark.text(console.resultPaint))
      return .fine
    })
}
