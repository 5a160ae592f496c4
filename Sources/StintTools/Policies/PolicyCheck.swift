import StintCompiler
public import StintLanguage
import StintMachine
public import StintModel

/// Policies that were checked together, with all that was found.
public struct PolicyCheck: Hashable, Sendable {
  /// What the policies cost to run; known once nothing is wrong with them.
  public struct Cost: Hashable, Sendable {
    /// Instructions of a step in which everything changes.
    public var worstStep: Int
    public var stateSlots: Int
  }

  public var sources: [SourceText]
  /// One for each file; must not be compiled when there are errors.
  public var policies: [CheckedPolicy]
  /// One for each file.
  public var summaries: [PolicySummary]
  /// In the order of the files and of their places.
  public var diagnostics: [Diagnostic]
  public var cost: Cost?

  /// Checks policies that are loaded together.
  public init(_ sources: [SourceText], vocabulary: Vocabulary) {
    self.sources = sources
    summaries = sources.map { PolicySummary(file: $0.file, of: Parser.parse($0).file) }
    (policies, diagnostics) = Checker.check(sources, vocabulary: vocabulary)
    guard !hasErrors else { return }
    diagnostics += Analysis.run(policies, vocabulary: vocabulary).map(\.diagnostic)
    diagnostics = diagnostics.inOrder(of: sources.map(\.file))
    guard !hasErrors else { return }
    let image = Compiler.compile(policies, vocabulary: vocabulary)
    cost = Cost(worstStep: image.code.count, stateSlots: image.slots.count)
  }

  public var hasErrors: Bool { count(.error) > 0 }

  /// How many diagnostics are of this severity.
  public func count(_ severity: Diagnostic.Severity) -> Int {
    diagnostics.count { $0.severity == severity }
  }

  /// The diagnostics that name a file.
  func diagnostics(of file: String) -> [Diagnostic] { diagnostics.filter { $0.file == file } }
}
