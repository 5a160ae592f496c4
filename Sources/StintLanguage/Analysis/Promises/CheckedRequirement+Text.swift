extension CheckedRequirement.Verdict {
  /// `proved` or `watched` with the reason, for people; nil where there is none, or a diagnostic says it.
  public var text: (word: String, reason: String)? {
    switch self {
    case .open, .refuted: nil
    case .proved(let reason, let outside): ("proved", reason + (outside.map { ", if \($0)" } ?? ""))
    case .watched(let reason): ("watched", reason)
    }
  }
}
