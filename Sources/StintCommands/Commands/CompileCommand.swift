import StintModel
import StintPluginKit
import StintTools

enum CompileCommand {
  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "compile", operands: "FILE...", operandCount: 1...Int.max,
      meaning: "write a verified image of policies for sim and run",
      example: "stint compile policies/hiking.stint -o hiking.image",
      detail: """
        The files are compiled together, for the devices of the reference phone or of a site.
        Equal texts and manifests give equal bytes. The image contains the texts: an image in place of a FILE is
        compiled again, for example after devices have changed or when the image is of an older version.
        """,
      operandUse: .policies,
      options: [
        .value("output", "IMAGE", "write the image to this file", letter: "o").file(.image)
          .required("name the image, for example -o hiking.image"),
        .flag("json", "print a summary of the image as one JSON object"),
      ] + DeviceOptions.definitions,
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let output = arguments.required("output")
    let vocabulary = try DeviceOptions.vocabulary(arguments, linked)
    let compiling = try PolicyCompiling(
      try PolicyImages.sources(arguments.operands), vocabulary: vocabulary)
    try compiling.write(to: output)
    console.result(
      arguments.has("json") ? compiling.jsonText(path: output) : compiling.text(path: output))
    return .fine
  }
}
