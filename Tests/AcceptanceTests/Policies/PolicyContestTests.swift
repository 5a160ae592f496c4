import StintTestSupport
import Testing

/// Runs several policies in the governor and in the reference evaluator, and compares the decisions. The
/// reference evaluator keeps the complete history of inputs.
@Suite("Policies and reference", .enabled(if: Tier.current >= .gate))
struct PolicyContestTests {
  @Test("the governor's decisions equal those of the reference, line by line", arguments: 12..<40)
  func agrees(seed: UInt64) throws {
    var contest = try PolicyContest(seed: seed)
    contest.run()
    #expect(contest.mismatch == nil, "\(contest.texts.joined(separator: "\n"))")
  }

  /// Seeds that once found differences between governor and reference. The differences were:
  ///
  /// - a sensor was off at the instant of a deadline;
  /// - a violation of a requirement was reported without its end;
  /// - latches in an `until` were not evaluated while their rule was inactive;
  /// - the end of one rule's `start` directive also ended an equal `start` of another rule;
  /// - a gap ended at the same nanosecond at which it became too long.
  @Test(
    "the decisions are equal for each seed that once found a difference",
    arguments: [2, 3, 11, 109, 142, 167, 171, 269, 277, 350, 608, 620, 2899])
  func kept(seed: UInt64) throws {
    var contest = try PolicyContest(seed: seed)
    contest.run()
    #expect(contest.mismatch == nil)
  }

  @Test("in 60 contests every construct and event occurs, and in more than 50 a rule is in force")
  func covers() throws {
    var coverage = PolicyCoverage()
    for seed in UInt64(0)..<60 {
      var contest = try PolicyContest(seed: seed)
      contest.run()
      coverage.add(contest.coverage)
    }
    #expect(coverage.missing(atLeastOnceIn: 60) == [])
    #expect(coverage.events["a rule was in force"] ?? 0 > 50)
  }
}
