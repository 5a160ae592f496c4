import StintLanguage
import StintModel
import StintPluginKit
import StintTools
import StintUnits

enum DiffCommand {
  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "diff", operands: "A B", operandCount: 2...2,
      meaning: "show the facts for which two policies decide differently",
      example: "stint diff none policies/hiking.stint",
      detail: """
        A and B are policy files, folders of them, or the word none for no policy at all. Each region of facts
        in which the decision for a device differs is printed with both decisions, and with example facts.
        Sensors that the rules of A and B read differently are listed with their largest energy per day. The
        exit code is 1 when there is a difference.
        """,
      operandUse: .policies,
      options: [
        .flag("json", "print the result as one JSON object")
      ] + DeviceOptions.definitions,
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let vocabulary = try DeviceOptions.vocabulary(arguments, linked)
    let diff = try PolicyDiff(
      from: try sources(arguments.operands[0]), to: try sources(arguments.operands[1]), vocabulary: vocabulary
    )
    console.result(
      arguments.has("json") ? diff.jsonText : console.fitted(diff.text(console.resultPaint)))
    return diff.isEmpty ? .fine : .findings
  }

  private static func sources(_ operand: String) throws(Problem) -> [SourceText] {
    operand == "none" ? [] : try PolicyFiles.read([operand])
  }
}
