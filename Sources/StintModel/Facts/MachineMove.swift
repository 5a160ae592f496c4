/// A way from one state of a policy's machine to another, taken while its rule holds.
public struct MachineMove: Hashable, Sendable {
  /// The rule whose condition says when.
  public var rule: RuleID
  /// The path of the machine's fact: `POLICY/NAME`.
  public var machine: String
  /// The number of the state that it leads to.
  public var target: Int

  /// Makes a move.
  public init(rule: RuleID, machine: String, target: Int) {
    self.rule = rule
    self.machine = machine
    self.target = target
  }
}
