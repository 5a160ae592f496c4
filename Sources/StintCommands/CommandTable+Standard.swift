import StintPluginKit
import StintTools

extension CommandTable {
  /// The commands of `stint`, without a plugin linked in.
  static let standard = CommandTable.standard(linked: [])

  /// The commands of `stint`, with the plugins that a site file may name.
  static func standard(linked: [LinkedPlugin]) -> CommandTable {
    CommandTable(forms: [
      CheckCommand.form,
      ExplainCommand.form,
      TestCommand.form,
      FormatCommand.form,
      SimCommand.form { try SimulationRun($0).run().report },
      DiffCommand.form,
      CompileCommand.form,
      DisassembleCommand.form,
      CompareCommand.form { try SimulationRun($0).run().report },
      RunCommand.form(linked),
      PluginListCommand.form(linked),
      StatusCommand.form,
      WhyCommand.form,
      WhyNotCommand.form,
      PushCommand.form,
      RollbackCommand.form,
      ReplayCommand.form,
      TuneCommand.form,
      EvalCommand.form,
      BenchCommand.form,
      BenchMachineCommand.form,
      BenchStepCommand.form,
      BenchJournalCommand.form,
      BenchCompileCommand.form,
      BenchCompileCommand.reload,
      PluginNewCommand.form,
      PluginSealCommand.form,
      PluginCheckCommand.form,
      BenchBusCommand.form,
      LanguageServerCommand.form,
    ])
  }
}
