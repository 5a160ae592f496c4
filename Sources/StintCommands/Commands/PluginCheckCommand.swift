import StintTools

/// `stint plugin check`.
enum PluginCheckCommand {
  static let form = CommandForm(
    name: "plugin check", operands: "DIR", operandCount: 1...1,
    meaning: "judge whether a plugin keeps the rules for plugins",
    detail: """
      Starts the program that plugin.json in DIR means and leads it through its life in about ten seconds: on, held,
      drained, off, asked for nonsense, killed, closed while on. Exit code 1 when a rule is broken.
      """,
    options: [
      .value("power", "FILE", "what a meter writes meanwhile: lines of UNIX_SECONDS,WATTS"),
      .flag("json", "each rule and what came of it as one JSON object"),
    ],
    run: { arguments, console in
      let verdicts = try PluginProgramCheck.run(arguments.operands[0], power: arguments.text("power"))
      console.result(arguments.has("json") ? verdicts.jsonText : verdicts.text)
      return verdicts.broken.isEmpty ? .fine : .findings
    })
}
