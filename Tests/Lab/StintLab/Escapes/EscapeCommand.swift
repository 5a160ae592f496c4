import StintCommands

/// `stint-lab escape`.
enum EscapeCommand {
  static let definition = CommandDefinition(
    name: "escape", operands: "", operandCount: 0...0,
    meaning: "try to escape from the containment of plugins here",
    detail: """
      The program starts itself, contained like a plugin without any access, and tries to reach the outer
      process, its files and the system. The exit code is 1 when an attempt succeeds, when an attempt
      changes something outside, or when the program cannot make the attempts.
      """,
    options: [
      .value("without", "MEANS", "do without these means of containment, for example landlock"),
      .flag("json", "print the attempts as one JSON object"),
    ],
    run: { arguments, console in
      let without = arguments.text("without")?.split(separator: ",").map { String($0) } ?? []
      let check = try EscapeCheck(without: without)
      console.result(arguments.has("json") ? check.jsonText : check.text)
      return check.isContained ? .fine : .findings
    })
}
