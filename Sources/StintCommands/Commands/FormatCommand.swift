import StintLanguage
import StintTools

/// `stint fmt`.
enum FormatCommand {
  static let form = CommandForm(
    name: "fmt", operands: "FILE...", operandCount: 1...Int.max,
    meaning: "lay policies out in the one canonical way",
    detail: """
      Files are rewritten in place; - reads standard input and writes the layout to standard output. A folder
      stands for its .stint files. A file that cannot be read stays as it is.
      """,
    options: [
      .flag("check", "write nothing; name the files whose layout is another, and end with 1"),
      .flag("json", "what became of each file as one JSON object"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let isCheck = arguments.has("check")
    let files = try PolicyFiles.read(arguments.operands).map { PolicyFormatting($0) }
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
      for file in different where file.source.file != "-" { console.log("laid out \(file.source.file)") }
    }
    let isFine = files.allSatisfy { $0.state == .canonical || ($0.state == .different && !isCheck) }
    return isFine ? .fine : .findings
  }
}
