import StintModel
import StintTools

/// `stint compile`.
enum CompileCommand {
  static let form = CommandForm(
    name: "compile", operands: "FILE...", operandCount: 1...Int.max,
    meaning: "write a verified image of policies for sim and run",
    detail: """
      The files are compiled together, for the devices of the reference phone or of a folder of manifests. The same
      texts and manifests give the same bytes. The texts are within the image: an image in place of a FILE is
      compiled again, as when the devices have changed since, or the image is of an older version.
      """,
    options: [
      .value("output", "IMAGE", "where the image goes", letter: "o"),
      .value("manifests", "DIR", "a folder of manifests instead of the reference phone's"),
      .flag("json", "what was written as one JSON object"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    guard let output = arguments.text("output") else {
      throw UsageError("compile needs -o", hint: "name the image, as in -o hiking.image")
    }
    let vocabulary = Vocabulary(manifests: try Manifests.read(arguments.text("manifests")))
    let compiling = try PolicyCompiling(
      try PolicyImages.sources(arguments.operands), vocabulary: vocabulary)
    try compiling.write(to: output)
    console.result(
      arguments.has("json") ? compiling.jsonText(path: output) : compiling.text(path: output))
    return .fine
  }
}
