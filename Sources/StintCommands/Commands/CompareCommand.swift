import StintRuntime
import StintTools

enum CompareCommand {
  private static func isSame(_ operands: [String]) -> Bool {
    guard operands[0] != operands[1] else { return operands[0] != "-" }
    guard !operands.contains("none"), !operands.contains("-") else { return false }
    return FileIdentity(of: operands[0]).map { $0 == FileIdentity(of: operands[1]) } ?? false
  }

  static func definition(_ simulate: @escaping SimulationEngine) -> CommandDefinition {
    CommandDefinition(
      name: "compare", operands: "A B", operandCount: 2...2,
      meaning: "compare two policies in the same simulated world",
      example: "stint compare none policies/hiking.stint --scenario commute",
      detail: """
        A and B are policy files, folders of them, or the word none for no policy at all. --journal and --plan
        record the run under B. The page of --report shows both runs side by side.
        """,
      operandUse: .policies, options: SimulationOptions.definitions,
      run: { arguments, console in
        var first = try SimulationOptions.request(arguments, policies: [arguments.operands[0]])
        let second = try SimulationOptions.request(arguments, policies: [arguments.operands[1]])
        guard first.trace != "-", first.motion != "-" else {
          throw UsageError(
            "two runs cannot both read standard input",
            hint: "write the input to a file, and give the path of the file in place of -")
        }
        if isSame(arguments.operands) {
          console.log("A and B are the same policies, so both runs give the same result")
        }
        first.journal = nil
        first.plan = nil
        let line = console.progress("simulating")
        defer { line.end() }
        let runs = try [simulate(first), simulate(second)]
        let comparison = RunComparison([
          try runs[0]({ line.update($0 / 2, "the first run") }),
          try runs[1]({ line.update(0.5 + $0 / 2, "the second run") }),
        ])
        console.result(arguments.has("json") ? comparison.jsonText : comparison.text(console.resultPaint))
        return SimulationOptions.finish(comparison.runs, arguments, console)
      })
  }
}
