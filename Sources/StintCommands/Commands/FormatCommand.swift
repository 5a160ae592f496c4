import StintLanguage
import StintModel
import StintPluginKit
import StintTools
import StintUnits

enum FormatCommand {
  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "fmt", operands: "FILE...", operandCount: 1...Int.max,
      meaning: "format policies in the canonical layout",
      example: "stint fmt --check policies",
      detail: """
        Files are rewritten in place; - reads standard input and writes the formatted text to standard output. A
        folder means its .stint files. A file that cannot be parsed is unchanged. With --site or --manifests, files
        may use the units that manifests declare.
        """,
      operandUse: .policies,
      options: [
        .flag("check", "write nothing; list the files that are not formatted, and exit with 1"),
        .flag("json", "print the result for each file as one JSON object"),
      ] + DeviceOptions.definitions,
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let hasDevices = arguments.text("site") != nil || arguments.text("manifests") != nil
    let units = hasDevices ? try DeviceOptions.vocabulary(arguments, linked).units : .standard
    let isCheck = arguments.has("check")
    let files = try PolicyFiles.read(arguments.operands).map { PolicyFormatting($0, units: units) }
    for file in files {
      if let complaint = file.complaint(console.logPaint) { console.log(complaint) }
      guard !isCheck else { continue }
      if file.source.file != "-" {
        try file.write()
      } else if let text = file.text, !arguments.has("json") {
        console.raw(text)
      }
    }
    let different = files.filter { $0.state == .different }
    if arguments.has("json") {
      console.result(PolicyFormatting.jsonText(files))
    } else if isCheck {
      for file in different { console.result(file.source.file) }
    } else {
      for file in different where file.source.file != "-" { console.log("formatted \(file.source.file)") }
    }
    let isFine = files.allSatisfy { $0.state == .canonical || ($0.state == .different && !isCheck) }
    return isFine ? .fine : .findings
  }
}
