import StintModel
import StintPluginKit
import StintTools

enum DisassembleCommand {
  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "disasm", operands: "IMAGE", operandCount: 1...1,
      meaning: "print the contents of an image and whether it can run",
      example: "stint disasm hiking.image",
      detail: """
        Everything that can be read is printed; then the image is verified for the devices of the reference
        phone or of a site. The exit code is 1 when the image cannot run.
        """,
      options: [
        .flag("json", "print the image as one JSON object")
      ] + DeviceOptions.definitions,
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let path = arguments.operands[0]
    let listing = ImageListing(try PolicyImages.file(path))
    let vocabulary = try DeviceOptions.vocabulary(arguments, linked)
    if arguments.has("json") {
      console.result(listing.jsonText)
    } else {
      console.report(listing.text)
    }
    if let refusal = listing.refusal(path: path, vocabulary: vocabulary) { throw refusal }
    return .fine
  }
}
