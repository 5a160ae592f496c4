public import StintCompiler
public import StintLanguage
import StintMachine
public import StintModel

/// Policies that were checked together, with all that was found.
public struct PolicyCheck: Hashable, Sendable {
  public var sources: [SourceText]
  /// One for each file; must not be compiled when there are errors.
  public var policies: [CheckedPolicy]
  /// One for each file.
  public var summaries: [PolicySummary]
  /// In the order of the files and of their places.
  public var diagnostics: [Diagnostic]
  /// What all of them cost to run together; known once nothing is wrong with them.
  public var cost: ImageCost?
  /// The same for each file.
  public var costs: [ImageCost] = []
  /// How often the devices that the policies reach wake at most, sorted by device.
  public var bounds: [WakeupBound] = []

  /// Checks policies that are loaded together, and refuses those that cost more than they may.
  public init(_ sources: [SourceText], vocabulary: Vocabulary, limits: CostLimits = CostLimits()) {
    self.sources = sources
    summaries = sources.map { PolicySummary(file: $0.file, of: Parser.parse($0).file) }
    (policies, diagnostics) = Checker.check(sources, vocabulary: vocabulary)
    guard !hasErrors else { return }
    policies = RequirementVerification.verified(policies, vocabulary: vocabulary)
    diagnostics += Analysis.run(policies, vocabulary: vocabulary).map(\.diagnostic)
    diagnostics = diagnostics.inOrder(of: sources.map(\.file))
    guard !hasErrors else { return }
    let image: Image
    let own: Image?
    do throws(RejectedPolicies) {
      let images = try Compiler.verified(policies, vocabulary: vocabulary)
      (image, own) = (images.image.image, images.clientImage?.image)
    } catch {
      diagnostics.append(error.diagnostic)
      return
    }
    diagnostics += limits.excesses(of: policies, compiledTo: image, own)
    diagnostics = diagnostics.inOrder(of: sources.map(\.file))
    cost = ImageCost(of: image, forDemands: own)
    bounds = WakeupBound.all(policies, vocabulary: vocabulary)
    costs = policies.map { policy in ImageCost(of: image, forDemands: own) { $0.policy == policy.name } }
  }

  public var hasErrors: Bool { count(.error) > 0 }

  /// How many diagnostics are of this severity.
  public func count(_ severity: Diagnostic.Severity) -> Int {
    diagnostics.count { $0.severity == severity }
  }

  /// The diagnostics that name a file.
  func diagnostics(of file: String) -> [Diagnostic] { diagnostics.filter { $0.file == file } }
}
