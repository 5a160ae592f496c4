import StintCommands
import StintTools

/// `stint-lab bench app`.
enum BenchAppCommand {
  static let definition = CommandDefinition(
    name: "bench app", operands: "", operandCount: 0...0,
    meaning: "measure how fast an app reads samples, and a bus's memory",
    detail: """
      The bus uses the system's clock. Samples pass from the thread of a plugin through host, governor and
      services to the sequence that the app reads.
      """,
    options: [
      .value("samples", "N", "samples per pass (default 200000)"),
      .value("buses", "N", "buses that are open at the same time (default 50)"),
      .value("compare", "FILE", "also show the saved figures in this file, with the ratios"),
      .flag("json", "print the figures as JSON"),
    ],
    run: { arguments, console in
      let benchmark = try AppBenchmark(
        samples: try arguments.number("samples", in: 1000...100_000_000, otherwise: 200_000),
        buses: try arguments.number("buses", in: 1...1000, otherwise: 50))
      try console.figures(benchmark.text(console.resultPaint), benchmark.jsonText, of: "app", arguments)
      return .fine
    })
}
