import StintUnits

/// What of a rule is read while stepping: plain numbers, nothing that is counted.
struct RuleTerms: Sendable {
  enum Trigger: Sendable {
    case level
    case rise
    case period
  }

  let trigger: Trigger
  let code: Range<Int>
  let directives: Range<Int>
  let acts: Range<Int>
  /// Whether it is never looked at.
  let isInert: Bool
  /// The shortest time between two rises that count, or the period; in nanoseconds.
  let span: Int64
  /// Whether a directive of it has an `until`.
  let hasUntil: Bool

  init(_ rule: ImageRule, in image: Image) {
    code = rule.code
    directives = rule.directives
    acts = rule.acts
    isInert = rule.isInert || rule.isPerDemand
    hasUntil = rule.directives.contains { !image.directives[$0].until.isEmpty }
    switch rule.trigger {
    case .level:
      trigger = .level
      span = 0
    case .rise(let atMost):
      trigger = .rise
      span = atMost?.nanoseconds ?? 0
    case .period(let period, _):
      trigger = .period
      span = period.nanoseconds
    }
  }
}

/// What of a directive is read while stepping.
struct DirectiveTerms: Sendable {
  let rule: Int
  let until: Range<Int>
  /// How long the first of a run lasts; nil in level rules.
  let duration: TimeSpan?
  let ceiling: TimeSpan
  let atMost: Int

  init(_ directive: ImageDirective) {
    rule = directive.rule
    until = directive.until
    duration = directive.duration
    ceiling = max(directive.doublingTo ?? .zero, directive.duration ?? .zero)
    atMost = directive.atMost ?? .max
  }
}
