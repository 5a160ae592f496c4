public import StintModel

/// Devices that rules may switch off permanently: nothing in the policies switches them on again.
public struct DeadEnd: Hashable, Sendable {
  /// The rules that keep each other in force; usually a single rule.
  public var rules: [RuleID]
  /// The devices that stay off, sorted.
  public var devices: [DeviceID]
  /// The facts that can no longer change, in source order, with values that keep the rules in force.
  ///
  /// The value `unknown` means that the fact reached its maximum age or was never published.
  public var readings: [Witness.Reading]
  /// The message for the author of the policy.
  public var diagnostic: Diagnostic

  /// The dead end as a finding.
  public var finding: Finding { Finding(diagnostic, witness: Witness(readings: readings)) }
}
