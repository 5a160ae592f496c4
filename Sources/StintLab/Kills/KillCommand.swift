import StintCommands

/// `stint-lab kills`: processes that journal, killed at random instants.
enum KillCommand {
  static let form = CommandForm(
    name: "kills", operands: "FOLDER [STINT POLICY]", operandCount: 1...3,
    meaning: "kill processes that journal and check what they leave",
    detail: """
      A writer tells after each synchronization how many records are safe: each of those must be in the journal
      afterwards. Where the program stint and a policy are named, stint run is killed too: its journal must replay to the
      same decisions.
      """,
    options: [.value("count", "N", "how many processes of each kind to kill; 50 when left out")],
    run: { arguments, console in
      let count = try arguments.number("count", in: 1...1_000_000, otherwise: 50)
      let folder = arguments.operands[0]
      JournalKills.kill(count, program: "/proc/self/exe", folder: folder)
      guard arguments.operands.count > 1 else { return .fine }
      guard arguments.operands.count == 3 else {
        throw UsageError(
          "stint-lab kills has a program and no policy", hint: "write kills FOLDER STINT POLICY")
      }
      DaemonKills.kill(
        count, program: arguments.operands[1], policy: arguments.operands[2], folder: folder)
      return .fine
    })

  /// The process that `kills` starts and kills.
  static let writer = CommandForm(
    name: "kills writer", operands: "JOURNAL", operandCount: 1...1,
    meaning: "write a journal until killed; kills starts it", options: [],
    run: { arguments, _ in JournalKills.run(arguments.operands[0]) })
}
