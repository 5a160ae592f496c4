import StintPluginKit
import StintTools

extension CommandTable {
  /// The commands of `stint` without a linked plugin.
  static let standard = CommandTable.standard(linked: [])

  /// Returns the commands of `stint` with the linked plugins that a site file may name.
  static func standard(linked: [LinkedPlugin]) -> CommandTable {
    CommandTable(
      program: "stint", purpose: "decides when sensors and radios work, and explains why.",
      groups: [
        Group("Write policies", writing(linked)), Group("Run a bus", running(linked)),
        Group("Write plugins", plugins(linked)),
      ])
  }

  private static func writing(_ linked: [LinkedPlugin]) -> [CommandForm] {
    [
      CheckCommand.form(linked), TestCommand.form(linked), FormatCommand.form(linked), ExplainCommand.form,
      DiffCommand.form(linked),
      SimCommand.form { try SimulationRun($0, linked: linked).run(progress: $1).report },
      CompareCommand.form { try SimulationRun($0, linked: linked).run(progress: $1).report },
      TuneCommand.form(linked), EvalCommand.form(linked), CompileCommand.form(linked),
      DisassembleCommand.form(linked),
      LanguageServerCommand.form(linked),
    ]
  }

  private static func running(_ linked: [LinkedPlugin]) -> [CommandForm] {
    [
      RunCommand.form(linked), StatusCommand.form, WhyCommand.form, WhyNotCommand.form, RequestCommand.form,
      PermitCommand.form, PushCommand.form, RollbackCommand.form, ReplayCommand.form(linked),
    ]
  }

  private static func plugins(_ linked: [LinkedPlugin]) -> [CommandForm] {
    [
      PluginNewCommand.form, PluginRunCommand.form, PluginCheckCommand.form, PluginSealCommand.form,
      PluginListCommand.form(linked),
    ]
  }
}
