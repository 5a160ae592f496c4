import StintCompiler
public import StintLanguage
import StintMachine
package import StintModel
import StintUnits

/// The test blocks of policies that are loaded together. They run in virtual time.
public struct PolicyTests: Sendable {
  /// The texts of the policies.
  public let sources: [SourceText]
  /// The checked policies, one for each text.
  public let policies: [CheckedPolicy]
  let vocabulary: Vocabulary
  let calendar: TestCalendar
  /// The values and faults of simulated devices, from a scenario.
  let circumstances: TestCircumstances

  /// Checks the policies. The calendar specifies the instant at which each test begins.
  ///
  /// - Throws: `PolicyRefusal` when a policy has errors.
  package init(
    _ sources: [SourceText], vocabulary: Vocabulary, calendar: TestCalendar = .standard,
    circumstances: TestCircumstances = TestCircumstances()
  ) throws(PolicyRefusal) {
    let check = PolicyCheck(sources, vocabulary: vocabulary)
    guard !check.hasErrors else { throw PolicyRefusal(check: check) }
    self.sources = sources
    policies = check.policies
    self.vocabulary = vocabulary
    self.calendar = calendar
    self.circumstances = circumstances
  }

  /// Runs all tests. If requested, also measures their coverage, and runs the tests of each policy on its
  /// mutants when all tests of the policy pass.
  ///
  /// - Parameter progress: called before each mutant with the completed share of the policy's mutants.
  /// - Throws: an error when a test cannot run.
  public func run(
    coverage: Bool = false, mutate: Bool = false,
    progress: (_ share: Double?, _ detail: String) -> Void = { _, _ in }
  ) throws -> TestReport {
    let leaves = coverage ? policies.map { $0.branches } : policies.map { _ in [] }
    var report = TestReport(sources: sources, files: [])
    for (number, policy) in policies.enumerated() {
      var file = TestReport.File(file: policy.file, policy: policy.name, outcomes: [])
      for test in policy.tests {
        guard test.missingDevices.isEmpty else {
          file.skipped.append(test)
          continue
        }
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
      policies: policies, test: test, watched: watched, vocabulary: vocabulary, calendar: calendar,
      circumstances: circumstances
    ).run()
  }

  /// Runs the tests of a policy on each of its mutants until a test fails.
  private func mutants(
    of number: Int, _ progress: (_ share: Double?, _ detail: String) -> Void
  ) throws -> [TestReport.Mutant] {
    let mutants = policies[number].mutants
    return try mutants.enumerated().map { place, mutant in
      progress(Double(place) / Double(mutants.count), "mutants of \(policies[number].name)")
      var changed = policies
      changed[number] = mutant.policy
      let killer = try policies[number].tests.filter(\.missingDevices.isEmpty).first { test in
        // A mutant whose image cannot be verified counts as detected.
        do { return try !outcome(of: test, under: changed).hasPassed } catch is Problem { return true }
      }
      return TestReport.Mutant(mutation: mutant.mutation, killedBy: killer?.title)
    }
  }
}
