import StintCommands

/// `stint-lab kills`: kills processes at random instants while they write a journal.
enum KillCommand {
  static let definition = CommandDefinition(
    name: "kills", operands: "FOLDER [STINT POLICY]", operandCount: 1...3,
    meaning: "kill processes that write a journal, and check the journal",
    detail: """
      After each fsync, a writer prints the number of records that are on disk. After the kill, the journal
      must contain all of them. When STINT and POLICY are given, stint run is killed, too: its journal must
      replay with equal decisions.
      """,
    options: [.value("count", "N", "the number of processes of each kind to kill (default 50)")],
    run: { arguments, console in
      let count = try arguments.number("count", in: 1...1_000_000, otherwise: 50)
      let folder = arguments.operands[0]
      JournalKills.kill(count, program: "/proc/self/exe", folder: folder)
      guard arguments.operands.count > 1 else { return .fine }
      guard arguments.operands.count == 3 else {
        throw UsageError(
          "stint-lab kills needs a policy for the program", hint: "write kills FOLDER STINT POLICY")
      }
      DaemonKills.kill(
        count, program: arguments.operands[1], policy: arguments.operands[2], folder: folder)
      return .fine
    })

  /// The command of the process that `kills` starts and kills.
  static let writer = CommandDefinition(
    name: "kills writer", operands: "JOURNAL", operandCount: 1...1,
    meaning: "write a journal until killed (started by the command kills)", options: [],
    run: { arguments, _ in JournalKills.run(arguments.operands[0]) })
}
