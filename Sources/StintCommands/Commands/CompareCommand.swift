import StintTools

/// `stint compare`.
enum CompareCommand {
  static func definition(_ simulate: @escaping SimulationEngine) -> CommandDefinition {
    CommandDefinition(
      name: "compare", operands: "A B", operandCount: 2...2,
      meaning: "compare two policies in the same simulated world",
      detail: """
        A and B are policy files, folders of them, or the word none for no policy at all. --journal and --plan
        record the run under B. The page of --report shows both runs side by side.
        """,
      options: SimulationOptions.definitions,
      run: { arguments, console in
        var first = try SimulationOptions.request(arguments, policies: [arguments.operands[0]])
        let second = try SimulationOptions.request(arguments, policies: [arguments.operands[1]])
        guard first.trace != "-", first.motion != "-" else {
          throw UsageError(
            "two runs cannot both read standard input",
            hint: "write the input to a file, and give the path of the file in place of -")
        }
        first.journal = nil
        first.plan = nil
        let page = try SimulationOptions.page(arguments)
        let line = console.progress("simulating")
        defer { line.end() }
        let comparison = RunComparison([
          try simulate(first) { line.update($0 / 2, "the first run") },
          try simulate(second) { line.update(0.5 + $0 / 2, "the second run") },
        ])
        if let page { try ReportPage(comparison.runs).write(to: page) }
        console.result(arguments.has("json") ? comparison.jsonText : comparison.text(console.resultPaint))
        return .fine
      })
  }
}
