import StintCommands
import StintTools

/// `stint-lab swarm`.
enum SwarmCommand {
  static let definition = CommandDefinition(
    name: "swarm", operands: "FILE...", operandCount: 1...Int.max,
    meaning: "simulate days with random faults and check invariants",
    detail: """
      Each seed selects one simulated day under the policies, with device faults and changing clients. On
      about half of the days, the daemon crashes. The policies are loaded together; the word none means no
      policy. For each seed that breaks an invariant, the report contains the command that repeats the run.
      """,
    options: SimulationOptions.definitions.filter { !refused.contains($0.name) } + [
      .value("count", "N", "the number of seeds, starting at --seed (default 1)")
    ],
    run: { arguments, console in
      let request = try SimulationOptions.request(arguments, policies: arguments.operands)
      guard request.trace != "-", request.motion != "-" else {
        throw UsageError(
          "several runs cannot all read standard input",
          hint: "write the input to a file, and give the path of the file in place of -")
      }
      let count = try arguments.number("count", in: 1...1_000_000, otherwise: 1)
      let line = console.progress("swarm")
      defer { line.end() }
      let report = try SwarmRun(request, count: count).run { completed in
        line.update(Double(completed) / Double(count), "\(completed) of \(count) days")
      }
      console.result(arguments.has("json") ? report.jsonText : report.text)
      return report.findings.isEmpty ? .fine : .findings
    })

  /// Options for output files. They are refused, because each run would overwrite the files of the
  /// previous run.
  private static let refused: Set<String> = ["journal", "journal-limit", "plan", "report"]
}
