import StintLanguage
import StintModel
import StintPluginKit
import StintTools

enum CheckCommand {
  private static let instructionsOption = OptionDefinition.integer(
    "max-instructions", "N", in: 0...UInt64(Int.max), example: 200,
    "reject the policies when an evaluation in which all facts change takes more than N instructions (default: no limit)"
  )
  private static let slotsOption = OptionDefinition.integer(
    "max-slots", "N", in: 0...UInt64(Int.max), example: 200,
    "reject policies that use more than N state slots in total (default: none)")

  static func definition(_ linked: [LinkedPlugin] = []) -> CommandDefinition {
    CommandDefinition(
      name: "check", operands: "FILE...", operandCount: 1...Int.max,
      meaning: "read policies and report problems, proofs and costs",
      example: "stint check policies/hiking.stint",
      detail: """
        Names, types, units and capabilities are checked against the manifests of the devices. The files are
        checked as if they were loaded together. A folder means its .stint files, - means standard input.

        --fix applies only unambiguous fixes. It corrects errors first. When no errors are left, it also fixes
        warnings, for example by the removal of unused items. Comments are kept. Each change and the remaining
        problems are listed. --format sarif prints SARIF 2.1.0, which code review tools can read.
        """,
      operandUse: .policies,
      options: [
        instructionsOption, slotsOption,
        .value("format", "FORM", "text, json or sarif (default: text)"),
        .flag("json", "print JSON, like --format json"),
        .flag(
          "advise",
          "report which location service could replace each rule that requests positions, and the costs"),
        .flag("fix", "apply all unambiguous fixes to the files, and check again"),
      ] + DeviceOptions.definitions,
      run: { try run($0, $1, linked) })
  }

  private static func run(
    _ arguments: Arguments, _ console: Console, _ linked: [LinkedPlugin]
  ) throws -> ExitCode {
    let limits = CostLimits(
      instructions: try arguments.integer(instructionsOption), slots: try arguments.integer(slotsOption))
    let format = try format(arguments)
    try checkUse(arguments, format)
    let sources = try PolicyFiles.read(arguments.operands)
    let vocabulary = try DeviceOptions.vocabulary(arguments, linked)
    let check = PolicyCheck(sources, vocabulary: vocabulary, limits: limits)
    let wrap = console.resultColumns.map { TextWrap(columns: $0) }
    guard arguments.has("fix") else {
      console.result(check.text(in: format, console.resultPaint, wrap: wrap))
      if arguments.has("advise") {
        let advice = check.advice(vocabulary)
        if !advice.isEmpty { console.result(advice) }
      }
      return check.hasErrors ? .findings : .fine
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
      throw UsageError(
        "expected one of \(names) for --format, found “\(name)”", hint: "for example --format sarif")
    }
    guard format == .json || !arguments.has("json") else {
      throw UsageError("--json and --format \(name) exclude each other", hint: "leave one of them out")
    }
    return format
  }

  /// Checks the combinations of options before any file is read.
  private static func checkUse(_ arguments: Arguments, _ format: CheckFormat) throws(UsageError) {
    if arguments.has("fix"), arguments.operands.contains("-") {
      throw UsageError("--fix cannot change standard input", hint: "name a file")
    }
    guard arguments.has("advise") else { return }
    guard format == .text else {
      throw UsageError("--advise prints text only", hint: "omit --format and --json")
    }
    guard !arguments.has("fix") else {
      throw UsageError("--advise and --fix exclude each other", hint: "omit one of them")
    }
  }
}
