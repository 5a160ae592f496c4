public import StintLanguage

/// What came of the tests of policies.
public struct TestReport: Hashable, Sendable {
  /// The tests of one file.
  public struct File: Hashable, Sendable {
    public var file: String
    public var policy: String
    public var outcomes: [TestOutcome]
    /// Nil when it was not requested.
    public var coverage: TestCoverage?
    /// Nil when they were not requested, or when a test fails without a mutation.
    public var mutants: [Mutant]?
  }

  /// A mistake, and the test that noticed it.
  public struct Mutant: Hashable, Sendable {
    public var mutation: Mutation
    /// Nil when none did: it survived.
    public var killedBy: String?
  }

  public var sources: [SourceText]
  public var files: [File]

  public var outcomes: [TestOutcome] { files.flatMap(\.outcomes) }
  public var failures: Int { outcomes.count { !$0.hasPassed } }

  /// The smallest share of mistakes that the tests of a file noticed, in percent; 100 where there were none to make.
  public var noticedShare: Int {
    files.map { file in
      guard let mutants = file.mutants, !mutants.isEmpty else { return file.mutants == nil ? 0 : 100 }
      return mutants.count { $0.killedBy != nil } * 100 / mutants.count
    }.min() ?? 100
  }

  /// The text of a span of a file, and its line.
  func place(_ span: SourceSpan, in file: String) -> (line: Int, text: String) {
    guard let source = sources.first(where: { $0.file == file }) else { return (0, "") }
    let text = source.text(of: span).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return (source.position(of: span.start).line, text)
  }
}
