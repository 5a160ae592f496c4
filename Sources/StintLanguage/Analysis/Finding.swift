/// The result of an analysis: a diagnostic, with values that demonstrate it.
public struct Finding: Hashable, Sendable {
  /// The message for the author of the policy.
  public var diagnostic: Diagnostic
  /// Facts that reproduce the finding; nil when it does not depend on values.
  public var witness: Witness?

  /// Creates a finding.
  public init(_ diagnostic: Diagnostic, witness: Witness? = nil) {
    self.diagnostic = diagnostic
    self.witness = witness
  }
}
