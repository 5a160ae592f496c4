import StintTools

enum RollbackCommand {
  static let definition = CommandDefinition(
    name: "rollback", operands: "", operandCount: 0...0,
    meaning: "put the previous policies of a running daemon back in force",
    example: "stint rollback --control /tmp/stint.sock",
    detail: """
      State is kept as in any reload. Stint keeps the last ten sets of policies, with --state also across
      restarts. The files of the watched folder are unchanged, and take effect again when one of them changes.
      The exit code is 3 when no daemon answers.
      """,
    options: [ControlQuery.option, .flag("json", "print the daemon's answer as JSON")],
    run: { try ControlQuery.run(.rollback, $0, $1) })
}
