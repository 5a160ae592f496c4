/// Which service raised a demand, and the rule that has it run; nil for one that a client asked for.
public struct ServiceMark: Hashable, Sendable {
  public var word: ServiceWord
  public var rule: RuleID?

  /// Marks a demand of a service.
  public init(_ word: ServiceWord, rule: RuleID? = nil) {
    self.word = word
    self.rule = rule
  }
}
