import StintCommands
import StintTools

/// `stint-lab bench journal`.
enum BenchJournalCommand {
  static let definition = CommandDefinition(
    name: "bench journal", operands: "[FILE...]", operandCount: 0...Int.max,
    meaning: "measure writing, syncing, reading and replaying a journal",
    detail: """
      With policy files, the command also replays a simulated day-hike under these policies. The replay
      includes reading and compiling the policies.
      """,
    options: [
      .value("in", "DIR", "the folder for the files (default /tmp)"),
      .value("records", "N", "records per pass (default 1000000)"),
      .value("batches", "N", "synchronizations per pass (default 200)"),
      .flag("json", "print the result as one JSON object"),
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
