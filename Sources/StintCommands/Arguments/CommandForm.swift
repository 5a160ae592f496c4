/// A command as a row of the table: its name, what it takes, what it does.
package struct CommandForm: Sendable {
  /// The program that has the command; its table sets it.
  var program = "stint"
  /// One word, or two as in `bench sim`.
  package var name: String
  /// As help shows them: `FILE...`; empty for none.
  package var operands: String
  package var operandCount: ClosedRange<Int>
  /// One line, without a full stop.
  package var meaning: String
  /// What help says below the line; may be empty.
  package var detail: String = ""
  package var options: [OptionForm]
  /// Does it.
  package var run: @Sendable (Arguments, Console) throws -> ExitCode

  package init(
    name: String, operands: String, operandCount: ClosedRange<Int>, meaning: String, detail: String = "",
    options: [OptionForm], run: @escaping @Sendable (Arguments, Console) throws -> ExitCode
  ) {
    self.name = name
    self.operands = operands
    self.operandCount = operandCount
    self.meaning = meaning
    self.detail = detail
    self.options = options
    self.run = run
  }

  /// `stint check FILE... [options]`.
  package var usage: String {
    ([program, name, operands] + (options.isEmpty ? [] : ["[options]"])).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
