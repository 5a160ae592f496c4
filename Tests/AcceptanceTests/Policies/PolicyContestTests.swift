import StintTestSupport
import Testing

/// Whole policies, several together, against a reference that keeps everything that ever happened.
@Suite("Policies and reference", .enabled(if: Tier.current >= .gate))
struct PolicyContestTests {
  @Test("what is decided is what the definitions make of the whole story, line by line", arguments: 12..<40)
  func agrees(seed: UInt64) throws {
    var contest = try PolicyContest(seed: seed)
    contest.run()
    #expect(contest.mismatch == nil, "\(contest.texts.joined(separator: "\n"))")
  }

  /// What the seeds once showed: a deadline that a sensor slept through, promises that were told without their end,
  /// latches in an `until` that nobody asked while its rule was not true, equal starts that ended for each other, a gap that ended with the
  /// nanosecond that made it too long.
  @Test(
    "what once differed does not differ again",
    arguments: [2, 3, 11, 109, 142, 167, 171, 269, 277, 350, 608, 620, 2899])
  func kept(seed: UInt64) throws {
    var contest = try PolicyContest(seed: seed)
    contest.run()
    #expect(contest.mismatch == nil)
  }

  @Test("the policies that are made hold every construct, and act")
  func covers() throws {
    var coverage = PolicyCoverage()
    for seed in UInt64(0)..<60 {
      var contest = try PolicyContest(seed: seed)
      contest.run()
      coverage.add(contest.coverage)
    }
    #expect(coverage.missing(atLeastOnceIn: 60) == [])
    #expect(coverage.happenings["a rule held"] ?? 0 > 50)
  }
}
