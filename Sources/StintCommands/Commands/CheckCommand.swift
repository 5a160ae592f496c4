import StintModel
import StintTools

/// `stint check`.
enum CheckCommand {
  static let form = CommandForm(
    name: "check", operands: "FILE...", operandCount: 1...Int.max,
    meaning: "read policies and say what is wrong with them",
    detail: """
      Names, types, units and capabilities are checked against the manifests of the devices. The files are
      checked as if they were loaded together. A folder stands for its .stint files, - for standard input.
      """,
    options: [
      .value("manifests", "DIR", "a folder of manifests instead of the reference phone's"),
      .value("max-instructions", "N", "refuse policies whose worst step takes more instructions together"),
      .value("max-slots", "N", "refuse policies that keep more state slots together"),
      .flag("json", "the result as one JSON object"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let manifests = try Manifests.read(arguments.text("manifests"))
    let sources = try PolicyFiles.read(arguments.operands)
    let limits = CostLimits(
      instructions: try limit("max-instructions", arguments), slots: try limit("max-slots", arguments))
    let check = PolicyCheck(sources, vocabulary: Vocabulary(manifests: manifests), limits: limits)
    console.result(arguments.has("json") ? check.jsonText : check.text(console.resultPaint))
    return check.hasErrors ? .findings : .fine
  }

  private static func limit(_ option: String, _ arguments: Arguments) throws -> Int? {
    guard arguments.text(option) != nil else { return nil }
    return try arguments.number(option, in: 0...Int.max, otherwise: 200)
  }
}
