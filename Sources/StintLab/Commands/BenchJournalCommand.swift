import StintCommands
import StintTools

/// `stint-lab bench journal`.
enum BenchJournalCommand {
  static let form = CommandForm(
    name: "bench journal", operands: "[FILE...]", operandCount: 0...Int.max,
    meaning: "measure writing, syncing, reading and replaying a journal",
    detail: """
      What is replayed is a simulated day-hike under the policies; without policies nothing is. Reading and compiling them
      is part of the replay.
      """,
    options: [
      .value("in", "DIR", "where to write; /tmp when left out"),
      .value("records", "N", "how many records a pass has; 1000000 when left out"),
      .value("batches", "N", "how many times a pass waits for the disk; 200 when left out"),
      .flag("json", "the result as one JSON object"),
    ],
    run: { arguments, console in
      let request = SimulationRequest(policies: arguments.operands, scenario: "day-hike")
      let benchmark = try JournalBenchmark(
        folder: arguments.text("in") ?? "/tmp",
        records: try arguments.number("records", in: 1...100_000_000, otherwise: 1_000_000),
        batches: try arguments.number("batches", in: 1...100_000, otherwise: 200),
        replaying: arguments.operands.isEmpty ? nil : request)
      console.result(arguments.has("json") ? benchmark.jsonText : benchmark.text(console.resultPaint))
      return .fine
    })
}
