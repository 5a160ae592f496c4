/// What an analysis found, with values that show it.
public struct Finding: Hashable, Sendable {
  public var diagnostic: Diagnostic
  /// Facts for which it comes about; nil where no values are needed to see it.
  public var witness: Witness?

  /// Makes a finding.
  public init(_ diagnostic: Diagnostic, witness: Witness? = nil) {
    self.diagnostic = diagnostic
    self.witness = witness
  }
}
