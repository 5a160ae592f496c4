/// A service that a rule has run while it is in force.
public struct ServiceLease: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var word: ServiceWord
  /// The device that it is watched on; nil for a service that finds its parts itself.
  public var target: DeviceID?
  public var rule: RuleID

  /// Makes a lease.
  public init(_ word: ServiceWord, on target: DeviceID?, rule: RuleID) {
    self.word = word
    self.target = target
    self.rule = rule
  }

  /// In whose name it runs: the policy's.
  public var client: ClientID { ClientID(rule.policy) }

  public var description: String {
    "\(word.rawValue)\(target.map { " on \($0)" } ?? "") for \(rule)"
  }

  public static func < (left: ServiceLease, right: ServiceLease) -> Bool {
    (left.word.rawValue, left.target?.path ?? "", left.rule)
      < (right.word.rawValue, right.target?.path ?? "", right.rule)
  }
}
