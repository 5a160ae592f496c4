import StintTools

/// `stint plugin check`.
enum PluginCheckCommand {
  static let form = CommandForm(
    name: "plugin check", operands: "[DIR]", operandCount: 0...1,
    meaning: "judge whether a plugin keeps the rules for plugins",
    detail: """
      Starts the program that plugin.json in DIR means and leads it through its life in about ten seconds: on, held,
      drained, off, asked for nonsense, killed, closed while on. Exit code 1 when a rule is broken.
      With --escape no plugin is needed: stint starts itself, contained as a plugin that asks for nothing, and attempts
      to reach this process, its files and the system. Exit code 1 when an attempt gets through.
      """,
    options: [
      .value("power", "FILE", "what a meter writes meanwhile: lines of UNIX_SECONDS,WATTS"),
      .flag("escape", "attempt to escape from the containment of plugins on this machine"),
      .value("without", "MEANS", "with --escape: leave means out, as in landlock,seccomp"),
      .flag("json", "each rule and what came of it as one JSON object"),
    ],
    run: { arguments, console in
      if arguments.has("escape") {
        guard arguments.operands.isEmpty else {
          throw UsageError("plugin check --escape needs no DIR", hint: "it tries this machine, and no plugin")
        }
        let without = arguments.text("without")?.split(separator: ",").map { String($0) } ?? []
        let check = try EscapeCheck(without: without)
        if arguments.has("json") { console.result(check.jsonText) } else { console.report(check.text) }
        return check.isHeld ? .fine : .findings
      }
      guard let place = arguments.operands.first else {
        throw UsageError("plugin check needs DIR", hint: "name the folder that holds its plugin.json")
      }
      let verdicts = try PluginProgramCheck.run(place, power: arguments.text("power"))
      if arguments.has("json") { console.result(verdicts.jsonText) } else { console.report(verdicts.text) }
      return verdicts.broken.isEmpty ? .fine : .findings
    })
}
