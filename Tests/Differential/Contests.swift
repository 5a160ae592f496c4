import StintTestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Random policies by the number, as compiled and by the reference: `Contests FIRST COUNT [SHARE [MOMENTS]]`; with
/// `readings FIRST COUNT`, told everything and with sources read when they are needed.
///
/// Prints what differed and what was covered; fails when anything differed, or when a construct or a happening came
/// about in less than one contest of SHARE (0: none has to). A story has 40 moments unless told otherwise.
@main
enum Contests {
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard numbers.count >= 2 else { fatalError("usage: Contests FIRST COUNT [SHARE [MOMENTS]]") }
    if CommandLine.arguments[1] == "readings" { return compareReadings(numbers[0]..<numbers[0] + numbers[1]) }
    let moments = numbers.count > 3 ? Int(numbers[3]) : 40
    var coverage = PolicyCoverage()
    var failures = 0
    for seed in numbers[0]..<numbers[0] + numbers[1] {
      do {
        var contest = try PolicyContest(seed: seed, moments: moments, patience: 40)
        contest.run()
        coverage.add(contest.coverage)
        guard let mismatch = contest.mismatch else { continue }
        failures += 1
        if failures <= 5 { print("\(mismatch)\n\(contest.texts.joined(separator: "\n"))") }
      } catch {
        failures += 1
        if failures <= 5 { print("seed \(seed): \(error)") }
      }
    }
    print(coverage.lines.joined(separator: "\n"))
    print("\(coverage.contests) contests, \(failures) differ")
    let rare = numbers.count > 2 && numbers[2] > 0 ? coverage.missing(atLeastOnceIn: Int(numbers[2])) : []
    if !rare.isEmpty { print("too rare: \(rare.joined(separator: ", "))") }
    if failures > 0 || !rare.isEmpty { exit(1) }
  }

  private static func compareReadings(_ seeds: Range<UInt64>) {
    var (turns, readings, fewer, failures) = (0, 0, 0, 0)
    for seed in seeds {
      do {
        var contest = try ReadingContest(seed: seed)
        contest.run()
        turns += contest.turns
        readings += contest.readings
        if contest.readings < contest.turns { fewer += 1 }
        guard let mismatch = contest.mismatch else { continue }
        failures += 1
        if failures <= 5 { print("seed \(seed): \(mismatch)\n\(contest.texts.joined(separator: "\n"))") }
      } catch {
        failures += 1
        if failures <= 5 { print("seed \(seed): \(error)") }
      }
    }
    print(
      "\(seeds.count) traces, \(failures) differ; \(readings) readings instead of \(turns), fewer in \(fewer) of them"
    )
    if failures > 0 || readings >= turns { exit(1) }
  }
}
