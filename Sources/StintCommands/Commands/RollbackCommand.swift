import StintTools

/// `stint rollback`.
enum RollbackCommand {
  static let form = CommandForm(
    name: "rollback", operands: "", operandCount: 0...0,
    meaning: "put the previous policies of a running daemon in force",
    detail: """
      State is kept as at any reload. Ten generations are kept, also across restarts with --state. The files of the
      watched folder stay as they are, and come into force again when one of them changes. Exit code 3 when no daemon
      answers.
      """,
    options: [ControlQuery.option, .flag("json", "the daemon's answer as it came")],
    run: { try ControlQuery.run(.rollback, $0, $1) })
}
