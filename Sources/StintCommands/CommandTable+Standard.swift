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

  private static func writing(_ linked: [LinkedPlugin]) -> [CommandDefinition] {
    [
      CheckCommand.definition(linked), TestCommand.definition(linked), FormatCommand.definition(linked),
      ExplainCommand.definition,
      DiffCommand.definition(linked),
      SimCommand.definition(simulation(linked)), CompareCommand.definition(simulation(linked)),
      TuneCommand.definition(linked), EvalCommand.definition(linked), CompileCommand.definition(linked),
      DisassembleCommand.definition(linked),
      LanguageServerCommand.definition(linked),
    ]
  }

  private static func simulation(_ linked: [LinkedPlugin]) -> SimulationEngine {
    { request in
      let run = try SimulationRun(request, linked: linked)
      return { progress in try run.run(progress: progress).report }
    }
  }

  private static func running(_ linked: [LinkedPlugin]) -> [CommandDefinition] {
    [
      RunCommand.definition(linked), StatusCommand.definition, WhyCommand.definition,
      WhyNotCommand.definition, RequestCommand.definition,
      PermitCommand.definition, PushCommand.definition, RollbackCommand.definition,
      ReplayCommand.definition(linked),
    ]
  }

  private static func plugins(_ linked: [LinkedPlugin]) -> [CommandDefinition] {
    [
      PluginNewCommand.definition, PluginRunCommand.definition, PluginCheckCommand.definition,
      PluginSealCommand.definition,
      PluginListCommand.definition(linked),
    ]
  }
}
