public import StintModel

/// A condition that a policy requires to be always true.
public struct CheckedRequirement: Hashable, Sendable {
  /// The result of verifying a requirement.
  public enum Verdict: Hashable, Sendable {
    /// No proof has been tried.
    case open
    /// The requirement cannot be violated.
    ///
    /// `assuming` names an assumption about devices or clients on which the proof depends. If `assuming` is
    /// not nil, the requirement is also watched at run time.
    case proved(because: String, assuming: String?)
    /// These facts violate the requirement.
    case refuted(Witness)
    /// The requirement is watched at run time, for the given reason.
    case watched(because: String)
  }

  /// The id of the requirement: `require-1`, `require-2`, … in file order.
  public var id: RuleID
  /// The condition that must be true.
  public var condition: CheckedExpression
  /// The position of the condition in its file.
  public var span: SourceSpan
  /// The source text of the condition.
  public var text: String
  /// The result of the verification; `open` before the verification.
  public var verdict = Verdict.open

  /// True when a rule must report violations at run time.
  public var isWatched: Bool {
    if case .proved(_, assuming: nil) = verdict { false } else { true }
  }
}
