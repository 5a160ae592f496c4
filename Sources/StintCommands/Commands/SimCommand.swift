import StintTools

/// `stint sim`.
enum SimCommand {
  static func form(_ simulate: @escaping SimulationEngine) -> CommandForm {
    CommandForm(
      name: "sim", operands: "FILE...", operandCount: 1...Int.max,
      meaning: "simulate a day under policies and account for the energy",
      detail: "The policies are loaded together; none stands for no policy at all.",
      options: SimulationOptions.forms + [
        .value(
          "reloads", "N", "put the same policies in force again at N random instants; changes no result"),
        .value(
          "swarm", "N",
          "run N seeds with random faults and clients instead, and look for what must never happen; see --seed"
        ),
      ],
      run: { arguments, console in
        var request = try SimulationOptions.request(arguments, policies: arguments.operands)
        if arguments.text("swarm") != nil { return try swarm(request, arguments, console) }
        request.reloads = try arguments.number("reloads", in: 0...1_000_000, otherwise: 0)
        let page = try SimulationOptions.page(arguments)
        let report = try simulate(request)
        if let page { try ReportPage([report]).write(to: page) }
        console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
        return SimulationOptions.ending(report, console)
      })
  }

  /// Many runs with random faults under checkers.
  private static func swarm(
    _ request: SimulationRequest, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    for option in ["journal", "plan", "report", "reloads"] where arguments.text(option) != nil {
      throw UsageError(
        "--swarm and --\(option) do not go together", hint: "run the one seed that you mean without --swarm")
    }
    guard request.trace != "-", request.motion != "-" else {
      throw UsageError(
        "many runs cannot all read standard input", hint: "write the track to a file and name it")
    }
    let count = try arguments.number("swarm", in: 1...1_000_000, otherwise: 1)
    let report = try SwarmRun(request, count: count).run()
    console.result(arguments.has("json") ? report.jsonText : report.text)
    return report.findings.isEmpty ? .fine : .findings
  }
}
