import StintTools

/// `stint plugin check`.
enum PluginCheckCommand {
  static let form = CommandForm(
    name: "plugin check", operands: "[DIR]", operandCount: 0...1,
    meaning: "check whether a plugin follows the rules for plugins",
    detail: """
      Starts the program of plugin.json in DIR and drives it through its life cycle in about ten seconds: on,
      holding, drained, off, invalid requests, killed, closed while on. The exit code is 1 when it violates a
      rule. With --escape no plugin is needed: stint starts itself, contained like a plugin without any
      access, and tries to reach the outer process, its files and the system. The exit code is 1 when an
      attempt succeeds.
      """,
    options: [
      .value("power", "FILE", "a file with power meter readings during the check, as UNIX_SECONDS,WATTS"),
      .flag("escape", "try to escape from the containment of plugins on this machine"),
      .value(
        "without", "MEANS",
        "with --escape: disable these means of containment, for example landlock,seccomp"),
      .flag("json", "print the result of each rule as one JSON object"),
    ],
    run: { arguments, console in
      if arguments.has("escape") {
        guard arguments.operands.isEmpty else {
          throw UsageError("plugin check --escape needs no DIR", hint: "it checks this machine, not a plugin")
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
