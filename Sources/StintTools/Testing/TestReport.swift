public import StintLanguage

/// The results of the tests of policies.
public struct TestReport: Hashable, Sendable {
  /// The results of one file.
  public struct File: Hashable, Sendable {
    /// The path of the file.
    public var file: String
    /// The name of the policy.
    public var policy: String
    /// The results of the tests, in the order of the file.
    public var outcomes: [TestOutcome]
    /// The tests that did not run because devices are missing, in the order of the file.
    public var skipped: [CheckedTest] = []
    /// The coverage; nil when it was not requested.
    public var coverage: TestCoverage?
    /// The mutants; nil when they were not requested, or when a test fails without a mutation.
    public var mutants: [Mutant]?
  }

  /// A mutation, with the test that detected it.
  public struct Mutant: Hashable, Sendable {
    /// The change of the policy.
    public var mutation: Mutation
    /// The title of the first test that failed; nil when the mutant survived.
    public var killedBy: String?
  }

  /// The texts of the policies.
  public var sources: [SourceText]
  /// The results by file.
  public var files: [File]

  /// The results of all files.
  public var outcomes: [TestOutcome] { files.flatMap(\.outcomes) }
  /// The number of failed tests.
  public var failures: Int { outcomes.count { !$0.hasPassed } }

  /// The number of tests that did not run because devices are missing.
  public var skips: Int { files.map(\.skipped.count).reduce(0, +) }

  /// The lowest percentage of mutants that the tests of a file detected. A file without mutants counts as
  /// 100. A file whose mutants were not tested counts as 0.
  public var detectedPercent: Int {
    files.map { file in
      guard let mutants = file.mutants, !mutants.isEmpty else { return file.mutants == nil ? 0 : 100 }
      return mutants.count { $0.killedBy != nil } * 100 / mutants.count
    }.min() ?? 100
  }

  /// Returns the line number of a span in a file, and its source text on one line.
  func place(_ span: SourceSpan, in file: String) -> (line: Int, text: String) {
    guard let source = sources.first(where: { $0.file == file }) else { return (0, "") }
    let text = source.text(of: span).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return (source.position(of: span.start).line, text)
  }
}
