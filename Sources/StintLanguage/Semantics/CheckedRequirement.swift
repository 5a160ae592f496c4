public import StintModel

/// Something that a policy promises.
public struct CheckedRequirement: Hashable, Sendable {
  /// How far the promise is known to be kept.
  public enum Verdict: Hashable, Sendable {
    /// It cannot be broken; the text says why, or what the worst case is.
    case proved(String)
    /// It is watched while the policy runs, because of what the text says.
    case watched(String)
  }

  /// `require-1`, `require-2`, … in the order of the file.
  public var id: RuleID
  public var condition: CheckedExpression
  /// Where the condition stands in its file.
  public var span: SourceSpan
  /// The condition as it is written.
  public var text: String
  public var verdict: Verdict

  /// Makes a requirement that is watched.
  public init(
    id: RuleID, condition: CheckedExpression, span: SourceSpan, text: String,
    verdict: Verdict = .watched("nobody has tried to prove it")
  ) {
    self.id = id
    self.condition = condition
    self.span = span
    self.text = text
    self.verdict = verdict
  }
}
