import StintLanguage
import StintModel
import StintTools
import StintUnits

/// `stint diff`.
enum DiffCommand {
  static let form = CommandForm(
    name: "diff", operands: "A B", operandCount: 2...2,
    meaning: "show the facts for which two policies decide differently",
    detail: """
      A and B are policy files, folders of them, or none for no policy at all. Each region of facts in which a
      device fares otherwise is printed with what was and what will be decided, and with facts that lead there.
      The exit code is 1 when there is any.
      """,
    options: [
      .value("manifests", "DIR", "a folder of manifests instead of the reference phone's"),
      .flag("json", "the result as one JSON object"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let vocabulary = Vocabulary(manifests: try Manifests.read(arguments.text("manifests")))
    let diff = try PolicyDiff(
      from: try sources(arguments.operands[0]), to: try sources(arguments.operands[1]), vocabulary: vocabulary
    )
    console.result(
      arguments.has("json") ? diff.jsonText : console.fitted(diff.text(console.resultPaint)))
    return diff.difference.isEmpty ? .fine : .findings
  }

  private static func sources(_ operand: String) throws(Problem) -> [SourceText] {
    operand == "none" ? [] : try PolicyFiles.read([operand])
  }
}
