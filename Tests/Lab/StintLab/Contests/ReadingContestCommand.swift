import StintCommands
import StintTestSupport

/// `stint-lab contests readings`: compares two runs of the same policies. In one run, the governor reads a
/// fact only while a rule needs it; in the other run, the sources publish all facts.
enum ReadingContestCommand {
  static let definition = CommandDefinition(
    name: "contests readings", operands: "", operandCount: 0...0,
    meaning: "compare facts read on need with facts always published",
    detail: "Exit code 1 if a decision differs, or if reading on need saves no readings.",
    options: ContestCommand.range,
    run: { arguments, console in
      let seeds = try ContestCommand.seeds(arguments)
      var (turns, readings, fewer) = (0, 0, 0)
      var failures = Failures(console)
      for seed in seeds {
        do {
          var contest = try ReadingContest(seed: seed)
          contest.run()
          turns += contest.turns
          readings += contest.readings
          if contest.readings < contest.turns { fewer += 1 }
          if let mismatch = contest.mismatch { failures.add(seed, "\(mismatch)", contest.texts) }
        } catch {
          failures.add(seed, "\(error)", [])
        }
      }
      console.result(
        "traces: \(seeds.count), traces with a difference: \(failures.count); "
          + "readings: \(readings) instead of \(turns); traces with fewer readings: \(fewer)")
      return failures.count > 0 || readings >= turns ? .findings : .fine
    })
}
