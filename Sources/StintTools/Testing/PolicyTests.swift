import StintCompiler
public import StintLanguage
import StintMachine
public import StintModel
import StintUnits

/// The test blocks of policies that are loaded together, run in virtual time.
public struct PolicyTests: Sendable {
  public let sources: [SourceText]
  public let policies: [CheckedPolicy]
  let vocabulary: Vocabulary
  let calendar: TestCalendar

  /// Checks the policies; tests begin when the calendar says.
  ///
  /// - Throws: `PolicyRefusal` when they have errors.
  public init(
    _ sources: [SourceText], vocabulary: Vocabulary, calendar: TestCalendar = .standard
  ) throws(PolicyRefusal) {
    let check = PolicyCheck(sources, vocabulary: vocabulary)
    guard !check.hasErrors else { throw PolicyRefusal(check: check) }
    self.sources = sources
    policies = check.policies
    self.vocabulary = vocabulary
    self.calendar = calendar
  }

  /// Runs every test, and what else is asked for.
  ///
  /// - Parameter progress: called before each mistake that is made, with how many of a policy's there were.
  public func run(
    coverage: Bool = false, mutate: Bool = false,
    progress: (_ share: Double?, _ detail: String) -> Void = { _, _ in }
  ) throws -> TestReport {
    let leaves = coverage ? policies.map { $0.branches } : policies.map { _ in [] }
    var report = TestReport(sources: sources, files: [])
    for (number, policy) in policies.enumerated() {
      var file = TestReport.File(file: policy.file, policy: policy.name, outcomes: [])
      for test in policy.tests {
        file.outcomes.append(try outcome(of: test, under: policies, watching: leaves[number]))
      }
      if coverage { file.coverage = TestCoverage(of: policy, branches: leaves[number], by: file.outcomes) }
      if mutate, file.outcomes.allSatisfy(\.hasPassed) { file.mutants = try mutants(of: number, progress) }
      report.files.append(file)
    }
    return report
  }

  func outcome(
    of test: CheckedTest, under policies: [CheckedPolicy], watching watched: [CheckedExpression] = []
  ) throws -> TestOutcome {
    try TestTrial(
      policies: policies, test: test, watched: watched, vocabulary: vocabulary, calendar: calendar
    ).run()
  }

  /// Every mutant of a policy, and whether one of its tests noticed it.
  private func mutants(
    of number: Int, _ progress: (_ share: Double?, _ detail: String) -> Void
  ) throws -> [TestReport.Mutant] {
    let mutations = policies[number].mutations
    return try mutations.enumerated().map { place, mutation in
      progress(Double(place) / Double(mutations.count), "mistakes in \(policies[number].name)")
      var changed = policies
      changed[number] = mutation.policy
      let killer = try policies[number].tests.first { test in
        // What a mutant makes of an image that cannot be run is noticed as well.
        do { return try !outcome(of: test, under: changed).hasPassed } catch is Problem { return true }
      }
      return TestReport.Mutant(mutation: mutation.mutation, killedBy: killer?.title)
    }
  }
}
