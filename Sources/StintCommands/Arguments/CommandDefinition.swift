/// The definition of a command: its name, operands, options, help texts and function.
package struct CommandDefinition: Sendable {
  /// The program that has the command; `CommandTable` sets it.
  var program = "stint"
  /// The name: one word, or two as in `bench sim`.
  package var name: String
  /// The operands as help shows them, such as `FILE...`; empty without operands.
  package var operands: String
  package var operandCount: ClosedRange<Int>
  /// The one-line description: it starts with an imperative verb and has no full stop.
  package var meaning: String
  /// A command line that shows the usual use; empty for a command of a test.
  package var example: String = ""
  /// The paragraphs below the description on the help page; may be empty.
  package var detail: String = ""
  package var options: [OptionDefinition]
  /// The use of the files whose paths are the operands; nil when the operands are not paths.
  package var operandUse: FileUse?
  /// The options of which exactly one is required, as the usage line shows them; empty when the command has
  /// no such options. The environment variable `STINT_CONTROL` can replace `--control`.
  package var alternatives: String = ""
  /// Performs the command.
  package var run: @Sendable (Arguments, Console) throws -> ExitCode

  package init(
    name: String, operands: String, operandCount: ClosedRange<Int>, meaning: String, example: String = "",
    detail: String = "",
    operandUse: FileUse? = nil, alternatives: String = "", options: [OptionDefinition],
    run: @escaping @Sendable (Arguments, Console) throws -> ExitCode
  ) {
    self.name = name
    self.operands = operands
    self.operandCount = operandCount
    self.meaning = meaning
    self.example = example
    self.detail = detail
    self.operandUse = operandUse
    self.alternatives = alternatives
    self.options = options
    self.run = run
  }

  /// The usage line with the required options, such as `stint compile FILE... -o IMAGE [options]`.
  package var usage: String {
    let required = options.filter { $0.requirement != nil }.map(\.spelling)
    let hasOthers = options.contains { $0.requirement == nil }
    return ([program, name, operands] + required + [alternatives] + (hasOthers ? ["[options]"] : []))
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}
