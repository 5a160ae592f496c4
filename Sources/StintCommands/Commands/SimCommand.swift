import StintTools

enum SimCommand {
  private static let reloadsOption = OptionDefinition.integer(
    "reloads", "N", in: 0...1_000_000, otherwise: 0,
    "reload the policies at N random instants; changes no decision and no total")

  static func definition(_ simulate: @escaping SimulationEngine) -> CommandDefinition {
    CommandDefinition(
      name: "sim", operands: "FILE...", operandCount: 1...Int.max,
      meaning: "simulate a day under policies and account for the energy",
      example: "stint sim policies/hiking.stint --scenario day-hike --report day.html",
      detail: "The policies are loaded together; the word none means no policy at all.",
      operandUse: .policies, options: SimulationOptions.definitions + [reloadsOption],
      run: { arguments, console in
        var request = try SimulationOptions.request(arguments, policies: arguments.operands)
        request.reloads = try arguments.integer(reloadsOption) ?? 0
        let line = console.progress("simulating")
        defer { line.end() }
        let report = try simulate(request)({ line.update($0) })
        console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
        return SimulationOptions.finish([report], arguments, console)
      })
  }
}
