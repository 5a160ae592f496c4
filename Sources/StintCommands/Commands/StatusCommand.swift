import StintTools

/// `stint status`.
enum StatusCommand {
  static let form = CommandForm(
    name: "status", operands: "", operandCount: 0...0,
    meaning: "show policies in force and devices of a running daemon",
    detail: "Exit code 3 when no daemon answers.",
    options: [ControlQuery.option, .flag("json", "the status as one JSON object")],
    run: { try ControlQuery.run(.status, $0, $1) })
}
