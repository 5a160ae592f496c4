import StintLanguage
import StintTools

/// `stint push`.
enum PushCommand {
  static let form = CommandForm(
    name: "push", operands: "FILE", operandCount: 1...1,
    meaning: "put a policy in force in a running daemon",
    detail: """
      A policy with errors is refused and what was in force stays; state is kept as at any reload, and stint rollback
      undoes it. The file is not copied into the watched folder. Exit code 3 when no daemon answers.
      """,
    options: [ControlQuery.option, .flag("json", "the daemon's answer as it came")],
    run: { arguments, console in
      let sources = try PolicyFiles.read(arguments.operands)
      guard let source = sources.first, sources.count == 1 else {
        throw UsageError("push takes one policy", hint: "name a file, not a folder")
      }
      return try ControlQuery.run(.push(file: source.file, text: source.text), arguments, console)
    })
}
