/// The result of an analysis: a diagnostic, and facts that demonstrate the problem.
public struct Finding: Hashable, Sendable {
  /// The message for the author of the policy.
  public var diagnostic: Diagnostic
  /// Facts that reproduce the finding; nil when the finding does not depend on facts.
  public var witness: Witness?

  /// Creates a finding.
  public init(_ diagnostic: Diagnostic, witness: Witness? = nil) {
    self.diagnostic = diagnostic
    self.witness = witness
  }
}
