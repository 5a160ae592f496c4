extension CheckedRequirement.Verdict {
  /// The word `proved` or `watched` with the reason. Nil without a verdict, or when a diagnostic reports the
  /// verdict.
  public var text: (word: String, reason: String)? {
    switch self {
    case .open, .refuted: nil
    case .proved(let reason, let outside): ("proved", reason + (outside.map { ", if \($0)" } ?? ""))
    case .watched(let reason): ("watched", reason)
    }
  }
}
