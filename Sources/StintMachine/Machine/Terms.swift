import StintUnits

/// A range of places in half the room of a range.
private struct Places {
  private let first: Int32
  private let end: Int32

  init(_ range: Range<Int>) {
    first = Int32(range.lowerBound)
    end = Int32(range.upperBound)
  }

  @inline(__always)
  var range: Range<Int> { Int(first)..<Int(end) }
}

/// What of a rule is read while stepping: plain numbers, nothing that is counted.
struct RuleTerms: Sendable {
  enum Trigger: Sendable {
    case level
    case rise
    case period
  }

  let trigger: Trigger
  private let codePlaces: Places
  private let directivePlaces: Places
  private let actPlaces: Places
  /// Whether it is never looked at.
  let isInert: Bool
  /// The shortest time between two rises that count, or the period; in nanoseconds.
  let span: Int64
  /// Whether a directive of it has an `until`.
  let hasUntil: Bool

  var code: Range<Int> { codePlaces.range }
  var directives: Range<Int> { directivePlaces.range }
  var acts: Range<Int> { actPlaces.range }

  init(_ rule: ImageRule, in image: Image) {
    codePlaces = Places(rule.code)
    directivePlaces = Places(rule.directives)
    actPlaces = Places(rule.acts)
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
  private let ruleNumber: Int32
  private let untilPlaces: Places
  /// How long the first of a run lasts; nil in level rules.
  let duration: TimeSpan?
  let ceiling: TimeSpan
  let atMost: Int

  var rule: Int { Int(ruleNumber) }
  var until: Range<Int> { untilPlaces.range }

  init(_ directive: ImageDirective) {
    ruleNumber = Int32(directive.rule)
    untilPlaces = Places(directive.until)
    duration = directive.duration
    ceiling = max(directive.doublingTo ?? .zero, directive.duration ?? .zero)
    atMost = directive.atMost ?? .max
  }
}
