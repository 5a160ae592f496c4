import StintTools

extension CommandTable {
  /// The commands of `stint`.
  static let standard = CommandTable(forms: [
    CheckCommand.form,
    ExplainCommand.form,
    TestCommand.form,
    FormatCommand.form,
    SimCommand.form { try SimulationRun($0).run().report },
    DiffCommand.form,
    CompileCommand.form,
    DisassembleCommand.form,
    CompareCommand.form { try SimulationRun($0).run().report },
    RunCommand.form,
    WhyCommand.form,
    ReplayCommand.form,
    EvalCommand.form,
    BenchCommand.form,
    BenchMachineCommand.form,
    BenchStepCommand.form,
    BenchJournalCommand.form,
    BenchCompileCommand.form,
    BenchCompileCommand.reload,
    LanguageServerCommand.form,
  ])
}
