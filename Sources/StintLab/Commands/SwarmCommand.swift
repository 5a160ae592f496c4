import StintCommands
import StintTools

/// `stint-lab swarm`.
enum SwarmCommand {
  static let form = CommandForm(
    name: "swarm", operands: "FILE...", operandCount: 1...Int.max,
    meaning: "simulate days with random faults and check invariants",
    detail: """
      Each seed is a day under the policies with faults of devices, clients that come and go, and deaths of the daemon.
      The policies are loaded together; none stands for no policy at all. A seed that fails prints how to run it again.
      """,
    options: SimulationOptions.forms.filter { !refused.contains($0.name) } + [
      .value("count", "N", "how many seeds to run, from --seed on; 1 when left out")
    ],
    run: { arguments, console in
      let request = try SimulationOptions.request(arguments, policies: arguments.operands)
      guard request.trace != "-", request.motion != "-" else {
        throw UsageError(
          "many runs cannot all read standard input", hint: "write the track to a file and name it")
      }
      let count = try arguments.number("count", in: 1...1_000_000, otherwise: 1)
      let line = console.progress("swarm")
      defer { line.end() }
      let report = try SwarmRun(request, count: count).run { through in
        line.update(Double(through) / Double(count), "\(through) of \(count) days")
      }
      console.result(arguments.has("json") ? report.jsonText : report.text)
      return report.findings.isEmpty ? .fine : .findings
    })

  /// Options of one run, which many runs would write over each other.
  private static let refused: Set<String> = ["journal", "journal-limit", "plan", "report"]
}
