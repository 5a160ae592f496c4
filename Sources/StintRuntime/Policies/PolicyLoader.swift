import StintCompiler
public import StintGovernor
public import StintLanguage
import StintMachine
public import StintModel
import StintUnits

/// Turns policy texts into a program: text → tree → checked policies → image → verifier.
///
/// Nothing of a broken policy gets through: either every step succeeds, or there are diagnostics and no
/// program.
public struct PolicyLoader: Sendable {
  public let vocabulary: Vocabulary

  /// Loads against these devices and facts.
  public init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// What came of loading.
  public struct Loaded: Sendable {
    /// Nil when there are errors.
    public var program: Program?
    public var policies: [CheckedPolicy]
    /// Errors, warnings and notes in the order of the files.
    public var diagnostics: [Diagnostic]
    public var sources: [SourceText]

    /// Whether something keeps the policies from being loaded.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Nothing loaded: every demand is granted as asked.
    public static let none = Loaded(program: nil, policies: [], diagnostics: [], sources: [])
  }

  /// Checks and compiles the files together.
  public func load(_ sources: [SourceText]) -> Loaded {
    let checked = Checker.check(sources, vocabulary: vocabulary)
    var loaded = Loaded(
      program: nil, policies: checked.policies, diagnostics: checked.diagnostics, sources: sources)
    guard !loaded.hasErrors else { return loaded }
    loaded.policies = RequirementVerification.verified(checked.policies, vocabulary: vocabulary)
    loaded.diagnostics += Analysis.run(loaded.policies, vocabulary: vocabulary).map(\.diagnostic)
    loaded.diagnostics = loaded.diagnostics.inOrder(of: sources.map(\.file))
    guard !loaded.hasErrors else { return loaded }
    do throws(RejectedPolicies) {
      let images = try Compiler.verified(loaded.policies, vocabulary: vocabulary)
      loaded.program = Program(
        image: images.image, defaults: checked.policies.flatMap { Self.defaults(of: $0) },
        computed: checked.policies.flatMap(\.computed),
        moves: checked.policies.flatMap(\.moves), clientImage: images.clientImage)
    } catch {
      // The checker has found all that the verifier stops; what it missed is refused here, and ends nothing.
      loaded.diagnostics.append(error.diagnostic)
    }
    return loaded
  }

  private static func defaults(of policy: CheckedPolicy) -> [DeviceDefaults] {
    policy.defaults.map { $0.inForce }
  }
}
