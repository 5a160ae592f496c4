public import StintModel

/// Something that a policy promises.
public struct CheckedRequirement: Hashable, Sendable {
  /// How far the promise is known to be kept.
  public enum Verdict: Hashable, Sendable {
    /// No proof has been tried.
    case open
    /// It cannot be broken; where that rests on what is outside of the policies, it says on what, and the promise is
    /// watched all the same.
    case proved(because: String, assuming: String?)
    /// These facts break it.
    case refuted(Witness)
    /// It is watched while the policy runs, because of what the text says.
    case watched(because: String)
  }

  /// `require-1`, `require-2`, … in the order of the file.
  public var id: RuleID
  public var condition: CheckedExpression
  /// Where the condition stands in its file.
  public var span: SourceSpan
  /// The condition as it is written.
  public var text: String
  public var verdict: Verdict

  /// Makes a requirement.
  public init(
    id: RuleID, condition: CheckedExpression, span: SourceSpan, text: String, verdict: Verdict = .open
  ) {
    self.id = id
    self.condition = condition
    self.span = span
    self.text = text
    self.verdict = verdict
  }

  /// Whether a rule must tell when it is broken.
  public var isWatched: Bool {
    if case .proved(_, assuming: nil) = verdict { false } else { true }
  }
}
