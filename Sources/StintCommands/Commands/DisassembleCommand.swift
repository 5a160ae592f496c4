import StintModel
import StintTools

/// `stint disasm`.
enum DisassembleCommand {
  static let form = CommandForm(
    name: "disasm", operands: "IMAGE", operandCount: 1...1,
    meaning: "print the contents of an image and whether it can run",
    detail: """
      Everything that can be read is printed; then the image is verified for the devices of the reference
      phone or of a folder of manifests. The exit code is 1 when the image cannot run.
      """,
    options: [
      .value("manifests", "DIR", "use the manifests of this folder instead of the reference phone's"),
      .flag("json", "print the image as one JSON object"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let path = arguments.operands[0]
    let listing = ImageListing(try PolicyImages.file(path))
    let vocabulary = Vocabulary(manifests: try Manifests.read(arguments.text("manifests")))
    if arguments.has("json") {
      console.result(listing.jsonText)
    } else {
      console.report(listing.text)
    }
    if let refusal = listing.refusal(path: path, vocabulary: vocabulary) { throw refusal }
    return .fine
  }
}
