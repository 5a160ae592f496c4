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
  /// The paragraphs below the description on the help page; may be empty.
  package var detail: String = ""
  package var options: [OptionDefinition]
  /// Performs the command.
  package var run: @Sendable (Arguments, Console) throws -> ExitCode

  package init(
    name: String, operands: String, operandCount: ClosedRange<Int>, meaning: String, detail: String = "",
    options: [OptionDefinition], run: @escaping @Sendable (Arguments, Console) throws -> ExitCode
  ) {
    self.name = name
    self.operands = operands
    self.operandCount = operandCount
    self.meaning = meaning
    self.detail = detail
    self.options = options
    self.run = run
  }

  /// The usage line, such as `stint check FILE... [options]`.
  package var usage: String {
    ([program, name, operands] + (options.isEmpty ? [] : ["[options]"])).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
