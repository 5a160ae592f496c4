/// A command as a row of the table: its name, what it takes, what it does.
struct CommandForm: Sendable {
  /// One word, or two as in `bench sim`.
  var name: String
  /// As help shows them: `FILE...`; empty for none.
  var operands: String
  var operandCount: ClosedRange<Int>
  /// One line, without a full stop.
  var meaning: String
  /// What help says below the line; may be empty.
  var detail: String = ""
  var options: [OptionForm]
  /// Does it.
  var run: @Sendable (Arguments, Console) throws -> ExitCode

  /// `stint check FILE... [options]`.
  var usage: String {
    (["stint", name, operands] + (options.isEmpty ? [] : ["[options]"])).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
