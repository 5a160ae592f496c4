import StintTools

/// `stint sim`.
enum SimCommand {
  static func definition(_ simulate: @escaping SimulationEngine) -> CommandDefinition {
    CommandDefinition(
      name: "sim", operands: "FILE...", operandCount: 1...Int.max,
      meaning: "simulate a day under policies and account for the energy",
      detail: "The policies are loaded together; the word none means no policy at all.",
      options: SimulationOptions.definitions + [
        .value(
          "reloads", "N", "reload the policies at N random instants; does not change the result")
      ],
      run: { arguments, console in
        var request = try SimulationOptions.request(arguments, policies: arguments.operands)
        request.reloads = try arguments.number("reloads", in: 0...1_000_000, otherwise: 0)
        let page = try SimulationOptions.page(arguments)
        let line = console.progress("simulating")
        defer { line.end() }
        let report = try simulate(request) { line.update($0) }
        if let page { try ReportPage([report]).write(to: page) }
        console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
        return SimulationOptions.ending(report, console)
      })
  }
}
