public import StintModel

/// Devices that rules may switch off so that nothing in the policies switches them on again.
public struct DeadEnd: Hashable, Sendable {
  /// The rules that keep each other in force; most often one.
  public var rules: [RuleID]
  /// The devices that stay off, sorted.
  public var devices: [DeviceID]
  /// The facts that are stuck, in the order of the text, with values that keep the rules in force.
  ///
  /// Unknown stands for a fact that grew too old, or never came.
  public var readings: [Witness.Reading]
  public var diagnostic: Diagnostic

  /// The dead end as a finding.
  public var finding: Finding { Finding(diagnostic, witness: Witness(readings: readings)) }
}
