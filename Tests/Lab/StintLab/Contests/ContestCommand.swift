import StintCommands
import StintTestSupport

/// `stint-lab contests`: compares the compiled image with the reference evaluator on random policies and
/// inputs.
enum ContestCommand {
  static let definition = CommandDefinition(
    name: "contests", operands: "", operandCount: 0...0,
    meaning: "compare compiled policies with the reference evaluator",
    detail: "Exit code 1 if a decision differs, or if a construct is too rare (--share).",
    options: range + [
      .value("share", "N", "require each construct in at least 1 of N contests (default 0: no requirement)"),
      .value("moments", "N", "instants with inputs per contest (default 40)"),
    ],
    run: { arguments, console in
      let seeds = try Self.seeds(arguments)
      let share = try arguments.number("share", in: 0...1_000_000, otherwise: 0)
      let moments = try arguments.number("moments", in: 1...10_000, otherwise: 40)
      var coverage = PolicyCoverage()
      var failures = Failures(console)
      for seed in seeds {
        do {
          var contest = try PolicyContest(seed: seed, moments: moments, maxQuickSteps: 40)
          contest.run()
          coverage.add(contest.coverage)
          if let mismatch = contest.mismatch { failures.add(seed, "\(mismatch)", contest.texts) }
        } catch {
          failures.add(seed, "\(error)", [])
        }
      }
      console.result(coverage.lines.joined(separator: "\n"))
      console.result("contests: \(coverage.contests), contests with a difference: \(failures.count)")
      let rare = share > 0 ? coverage.missing(atLeastOnceIn: share) : []
      if !rare.isEmpty { console.result("too rare: \(rare.joined(separator: ", "))") }
      return failures.count > 0 || !rare.isEmpty ? .findings : .fine
    })

  /// The options that select the seeds.
  static let range: [OptionDefinition] = [
    .value("seed", "N", "the first seed (default 0)"),
    .value("count", "N", "the number of seeds (default 1000)"),
  ]

  static func seeds(_ arguments: Arguments) throws(UsageError) -> Range<UInt64> {
    let first = try arguments.number("seed", in: 0...UInt64(UInt32.max), otherwise: 0)
    return first..<first + (try arguments.number("count", in: 1...UInt64(UInt32.max), otherwise: 1000))
  }
}

/// Counts contests with a mismatch and prints the first five.
struct Failures {
  private(set) var count = 0
  private let console: Console

  init(_ console: Console) { self.console = console }

  mutating func add(_ seed: UInt64, _ mismatch: String, _ texts: [String]) {
    count += 1
    guard count <= 5 else { return }
    console.result("seed \(seed): \(mismatch)\n\(texts.joined(separator: "\n"))")
  }
}
