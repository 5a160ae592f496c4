import StintTools

enum StatusCommand {
  static let definition = CommandDefinition(
    name: "status", operands: "", operandCount: 0...0,
    meaning: "show the policies in force and the devices of a running daemon",
    example: "stint status --control /tmp/stint.sock",
    detail: "The exit code is 3 when no daemon answers.",
    options: [ControlQuery.option, .flag("json", "print the status as one JSON object")],
    run: { try ControlQuery.run(.status, $0, $1) })
}
