import StintLanguage
import StintTools
import StintUnits

enum PushCommand {
  static let definition = CommandDefinition(
    name: "push", operands: "FILE", operandCount: 1...1,
    meaning: "put a policy in force in a running daemon",
    example: "stint push policies/hiking.stint --control /tmp/stint.sock",
    detail: """
      A policy with errors, or with another encoding than UTF-8, is rejected, and the policies in force stay.
      State is kept as in any reload, and stint rollback undoes the change. The file is not copied into the
      watched folder. The exit code is 3 when no daemon answers.
      """,
    options: [ControlQuery.option, .flag("json", "print the daemon's answer as JSON")],
    run: { arguments, console in
      let sources = try PolicyFiles.read(arguments.operands)
      guard let source = sources.first, sources.count == 1 else {
        throw UsageError("push needs exactly one policy", hint: "name a file, not a folder")
      }
      guard !source.isCut else {
        let limit = SourceText.maxBytes / (1 << 20)
        throw UsageError(
          "\(source.file) is larger than \(limit) MiB, the limit of a policy", hint: "divide the policy")
      }
      // Refuse a file that is not valid UTF-8, because the daemon would receive a text that differs from the
      // file.
      let problems = Parser.parse(source, units: .standard).diagnostics.filter { $0.code == .invalidEncoding }
      guard problems.isEmpty else {
        var text = DiagnosticRenderer.text(problems, sources: [source], colour: console.logPaint.isOn)
        while text.last == "\n" { text.removeLast() }
        console.log(text)
        return .findings
      }
      return try ControlQuery.run(.push(file: source.file, text: source.text), arguments, console)
    })
}
