import StintCommands
import StintTools

/// `stint-lab bench bus`.
enum BenchBusCommand {
  static let form = CommandForm(
    name: "bench bus", operands: "", operandCount: 0...0,
    meaning: "measure how fast the bus carries samples and wakes a device",
    detail: """
      Beside it are a bare call of an actor, AsyncStream, a queue behind a lock that wakes a task, and libzmq within
      a process where a C compiler finds it.
      """,
    options: [
      .value("batches", "N", "how many batches a pass carries; 64000 when left out"),
      .value("wakes", "N", "how often a device is called; 20000 when left out, 1 of 20 from a thread"),
      .value("compare", "FILE", "beside each figure the one that this file keeps, and their ratio"),
      .flag("json", "the figures as JSON"),
    ],
    run: { arguments, console in
      let benchmark = try BusBenchmark(
        batches: try arguments.number("batches", in: 64...100_000_000, otherwise: 64_000),
        wakes: try arguments.number("wakes", in: 20...10_000_000, otherwise: 20_000))
      try console.figures(benchmark.text(console.resultPaint), benchmark.jsonText, of: "bus", arguments)
      return .fine
    })
}
