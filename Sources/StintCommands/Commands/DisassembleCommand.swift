import StintModel
import StintTools

/// `stint disasm`.
enum DisassembleCommand {
  static let form = CommandForm(
    name: "disasm", operands: "IMAGE", operandCount: 1...1,
    meaning: "print what an image holds and whether it may run",
    detail: """
      Whatever can be read is printed; then the verifier looks at it, for the devices of the reference phone or of a
      folder of manifests. The exit code is 1 when it finds that the image may not run.
      """,
    options: [
      .value("manifests", "DIR", "a folder of manifests instead of the reference phone's"),
      .flag("json", "the image as one JSON object"),
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
