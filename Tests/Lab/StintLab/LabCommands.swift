import StintCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The commands of `stint-lab`, which measure Stint and test its limits. The program is not part of a
/// product.
public enum LabCommands {
  /// Runs the command in `arguments` and ends the process with its exit code.
  public static func runAndExit(arguments: [String]) -> Never {
    let arguments = arguments.isEmpty ? EscapeCheck.programArguments : arguments
    // The escape check starts this program in a contained process, with this word as the first argument.
    if arguments.first == EscapeCheck.word { exit(EscapeCheck.attempt(Array(arguments.dropFirst()))) }
    Commands.runAndExit(arguments: arguments, table: table)
  }

  static let table = CommandTable(
    program: "stint-lab", purpose: "measures Stint and tests its limits.",
    groups: [
      CommandTable.Group(
        "Measure",
        [
          BenchMachineCommand.definition, BenchStepCommand.definition, BenchCompileCommand.definition,
          BenchCompileCommand.reload,
          BenchBusCommand.definition, BenchAppCommand.definition, BenchJournalCommand.definition,
          BenchCommand.definition, BenchMotionCommand.definition,
        ]),
      CommandTable.Group(
        "Attack",
        [
          SwarmCommand.definition, ContestCommand.definition, ReadingContestCommand.definition,
          KillCommand.definition,
          KillCommand.writer, EscapeCommand.definition,
        ]),
    ])
}
