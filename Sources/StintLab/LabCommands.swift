import StintCommands

/// The commands of `stint-lab`: what measures and attacks Stint, and ships with no product.
public enum LabCommands {
  /// Runs what the words ask for and ends the process with its exit code.
  public static func runAndExit(arguments: [String]) -> Never {
    Commands.runAndExit(arguments: arguments, table: table)
  }

  static let table = CommandTable(
    program: "stint-lab", purpose: "measures and attacks Stint.",
    groups: [
      CommandTable.Group(
        "Measure",
        [
          BenchMachineCommand.form, BenchStepCommand.form, BenchCompileCommand.form,
          BenchCompileCommand.reload,
          BenchBusCommand.form, BenchJournalCommand.form, BenchCommand.form,
        ]),
      CommandTable.Group(
        "Attack",
        [
          SwarmCommand.form, ContestCommand.form, ReadingContestCommand.form, KillCommand.form,
          KillCommand.writer,
        ]),
    ])
}
