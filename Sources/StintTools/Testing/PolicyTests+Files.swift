package import StintLanguage
package import StintModel

extension PolicyTests {
  /// Returns the tests of files, each file loaded by itself or all of them together.
  ///
  /// - Throws: `PolicyRefusal` when a file, or the files together, cannot be loaded because of errors. Then
  ///   no test runs.
  package static func files(
    _ sources: [SourceText], together: Bool, vocabulary: Vocabulary, calendar: TestCalendar = .standard,
    circumstances: TestCircumstances = TestCircumstances()
  ) throws(PolicyRefusal) -> [PolicyTests] {
    let groups = together ? [sources] : sources.map { [$0] }
    var tests: [PolicyTests] = []
    for group in groups {
      tests.append(
        try PolicyTests(group, vocabulary: vocabulary, calendar: calendar, circumstances: circumstances))
    }
    return tests
  }
}

extension [PolicyTests] {
  /// Runs all tests, with optional coverage and mutation testing, and joins the results in order.
  ///
  /// - Parameters:
  ///   - coverage: true to record which rules and branches the tests reach.
  ///   - mutate: true to run the tests also with small changes (mutants) of the policies.
  ///   - progress: called before each mutant, with the completed share of the policy's mutants.
  /// - Throws: an error when a test cannot run.
  public func run(
    coverage: Bool = false, mutate: Bool = false,
    progress: (_ share: Double?, _ detail: String) -> Void = { _, _ in }
  ) throws -> TestReport {
    var report = TestReport(sources: [], files: [])
    for tests in self {
      let own = try tests.run(coverage: coverage, mutate: mutate, progress: progress)
      report.sources += own.sources
      report.files += own.files
    }
    return report
  }
}
