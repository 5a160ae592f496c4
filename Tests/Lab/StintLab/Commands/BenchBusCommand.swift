import StintCommands
import StintTools

/// `stint-lab bench bus`.
enum BenchBusCommand {
  static let definition = CommandDefinition(
    name: "bench bus", operands: "", operandCount: 0...0,
    meaning: "measure how fast the bus carries samples and wakes a device",
    detail: """
      The alternatives are a call of an actor, AsyncStream, a locked queue that wakes a task, and libzmq
      within a process. Libzmq is measured only if a C compiler finds it.
      """,
    options: [
      .value("batches", "N", "batches per pass (default 64000)"),
      .value("wakes", "N", "calls of a device on one executor (default 20000), and N / 20 from a thread"),
      .value("compare", "FILE", "also show the saved figures in this file, with the ratios"),
      .flag("json", "print the figures as JSON"),
    ],
    run: { arguments, console in
      let benchmark = try BusBenchmark(
        batches: try arguments.number("batches", in: 64...100_000_000, otherwise: 64_000),
        wakes: try arguments.number("wakes", in: 20...10_000_000, otherwise: 20_000))
      try console.figures(benchmark.text(console.resultPaint), benchmark.jsonText, of: "bus", arguments)
      return .fine
    })
}
