import StintTestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Random policies by the number, as compiled and by the reference: `Contests FIRST COUNT [SHARE [MOMENTS]]`.
///
/// Prints what differed and what was covered; fails when anything differed, or when a construct or a happening came
/// about in less than one contest of SHARE (0: none has to). A story has 40 moments unless told otherwise.
@main
enum Contests {
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard numbers.count >= 2 else { fatalError("usage: Contests FIRST COUNT [SHARE [MOMENTS]]") }
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
}
