public import StintAuthoring
public import StintCompiler
public import StintLanguage
import StintMachine
public import StintModel
import StintRuntime

/// The result of checking policies together.
public struct PolicyCheck: Hashable, Sendable {
  /// The policy files, in the order in which the caller passed them.
  public var sources: [SourceText]
  /// One checked policy for each file. Do not compile them when there are errors.
  public var policies: [CheckedPolicy]
  /// One summary for each file.
  public var summaries: [PolicySummary]
  /// All diagnostics, sorted by file and position.
  public var diagnostics: [Diagnostic]
  /// The cost of running all policies together; nil when there are errors.
  public var cost: ImageCost?
  /// The cost of each file's policy; empty when there are errors.
  public var costs: [ImageCost] = []
  /// Upper bounds of the wake-ups of each device that rules affect, or that rules switch on to read its
  /// facts. The bounds are sorted by device.
  public var bounds: [WakeupBound] = []
  /// The devices that each policy uses and that are missing, in the order of the files.
  public var missing: [[MissingDevice]] = []
  /// The sensors that work because rules read their facts, in the order of the policies.
  public var readings: [ReadingNeed] = []

  /// Checks policies that are loaded together. A cost above `limits` is an error.
  public init(_ sources: [SourceText], vocabulary: Vocabulary, limits: CostLimits = CostLimits()) {
    self.sources = sources
    let parsed = sources.map { Parser.parse($0, units: vocabulary.units).file }
    summaries = zip(sources, parsed).map { PolicySummary(file: $0.file, of: $1) }
    missing = parsed.map { MissingDevice.all(in: $0, vocabulary) }
    (policies, diagnostics) = Checker.check(sources, vocabulary: vocabulary)
    guard !hasErrors else { return }
    policies = RequirementVerification.verified(
      policies, vocabulary: vocabulary, replay: RefutationReplay.isViolated)
    diagnostics += Analysis.run(policies, vocabulary: vocabulary).map(\.diagnostic)
    diagnostics = diagnostics.inOrder(of: sources.map(\.file))
    guard !hasErrors else { return }
    let image: Image
    let perDemandImage: Image?
    do throws(RejectedPolicies) {
      let images = try Compiler.verified(policies, vocabulary: vocabulary)
      (image, perDemandImage) = (images.image.image, images.perDemandImage?.image)
    } catch {
      diagnostics.append(error.diagnostic)
      return
    }
    diagnostics += limits.excesses(of: policies, compiledTo: image, perDemandImage)
    diagnostics = diagnostics.inOrder(of: sources.map(\.file))
    cost = ImageCost(of: image, forDemands: perDemandImage)
    bounds = WakeupBound.all(policies, vocabulary: vocabulary)
    readings = ReadingNeed.all(policies, vocabulary: vocabulary)
    costs = policies.map { policy in
      ImageCost(of: image, forDemands: perDemandImage) { $0.policy == policy.name }
    }
  }

  /// True when at least one diagnostic is an error.
  public var hasErrors: Bool { count(.error) > 0 }

  /// Returns the number of diagnostics with a severity.
  public func count(_ severity: Diagnostic.Severity) -> Int {
    diagnostics.count { $0.severity == severity }
  }

  func diagnostics(of file: String) -> [Diagnostic] { diagnostics.filter { $0.file == file } }
}
