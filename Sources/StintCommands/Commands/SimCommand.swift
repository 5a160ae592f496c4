import StintTools

/// `stint sim`.
enum SimCommand {
  static func form(_ simulate: @escaping SimulationEngine) -> CommandForm {
    CommandForm(
      name: "sim", operands: "FILE...", operandCount: 1...Int.max,
      meaning: "simulate a day under policies and account for the energy",
      detail: "The policies are loaded together; none stands for no policy at all.",
      options: SimulationOptions.forms,
      run: { arguments, console in
        let request = try SimulationOptions.request(arguments, policies: arguments.operands)
        let report = try simulate(request)
        console.result(arguments.has("json") ? report.jsonText : report.text(console.resultPaint))
        return SimulationOptions.ending(report, console)
      })
  }
}
