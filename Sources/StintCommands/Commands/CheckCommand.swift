import StintLanguage
import StintModel
import StintTools

/// `stint check`.
enum CheckCommand {
  static let form = CommandForm(
    name: "check", operands: "FILE...", operandCount: 1...Int.max,
    meaning: "read policies and report problems, proofs and costs",
    detail: """
      Names, types, units and capabilities are checked against the manifests of the devices. The files are
      checked as if they were loaded together. A folder stands for its .stint files, - for standard input.

      --fix changes only what leaves no doubt, errors first, and then, when none is left, removes what nothing
      uses. Comments stay. It lists each change, and what is left to do by hand. Code review tools read SARIF
      2.1.0.
      """,
    options: [
      .value("manifests", "DIR", "a folder of manifests instead of the reference phone's"),
      .value("max-instructions", "N", "refuse policies whose worst step takes more instructions together"),
      .value("max-slots", "N", "refuse policies that keep more state slots together"),
      .value("format", "FORM", "text, json or sarif; text when left out"),
      .flag("json", "the same as --format json"),
      .flag("advise", "say which location service would do what each rule does, and what it costs"),
      .flag("fix", "mend in the files what can be mended without asking, and check again"),
    ],
    run: { try run($0, $1) })

  private static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let manifests = try Manifests.read(arguments.text("manifests"))
    let sources = try PolicyFiles.read(arguments.operands)
    let limits = CostLimits(
      instructions: try limit("max-instructions", arguments), slots: try limit("max-slots", arguments))
    let format = try format(arguments)
    let vocabulary = Vocabulary(manifests: manifests)
    let check = PolicyCheck(sources, vocabulary: vocabulary, limits: limits)
    let wrap = console.resultColumns.map { TextWrap(columns: $0) }
    guard arguments.has("fix") else {
      console.result(check.text(in: format, console.resultPaint, wrap: wrap))
      if arguments.has("advise") {
        guard format == .text else {
          throw UsageError("--advise is for people", hint: "leave --format and --json out")
        }
        let advice = check.advice(vocabulary)
        if !advice.isEmpty { console.result(advice) }
      }
      return check.hasErrors ? .findings : .fine
    }
    guard !sources.contains(where: { $0.file == "-" }) else {
      throw UsageError("--fix changes files, and standard input is none", hint: "name the file")
    }
    let fixing = PolicyFixing(check, vocabulary: vocabulary, limits: limits)
    try fixing.write()
    console.result(fixing.text(in: format, console.resultPaint, wrap: wrap))
    return fixing.after.hasErrors ? .findings : .fine
  }

  private static func format(_ arguments: Arguments) throws -> CheckFormat {
    guard let name = arguments.text("format") else { return arguments.has("json") ? .json : .text }
    let names = CheckFormat.allCases.map(\.rawValue).joined(separator: ", ")
    guard let format = CheckFormat(rawValue: name) else {
      throw UsageError("--format is “\(name)”, and takes one of \(names)", hint: "as in --format sarif")
    }
    guard format == .json || !arguments.has("json") else {
      throw UsageError("--json and --format \(name) are two forms", hint: "leave one of them out")
    }
    return format
  }

  private static func limit(_ option: String, _ arguments: Arguments) throws -> Int? {
    guard arguments.text(option) != nil else { return nil }
    return try arguments.number(option, in: 0...Int.max, otherwise: 200)
  }
}
