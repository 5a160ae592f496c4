import StintUnits

/// A range of indexes stored as two 32-bit integers, half the size of `Range<Int>`.
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

/// The data of a rule that evaluation reads. It contains only numbers, so copying it needs no reference
/// counting.
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
  /// True when the VM of this image never evaluates the rule, because it is inert or per-demand.
  let isInert: Bool
  /// The minimum time between two actions of a `when` rule, or the period of an `every` rule. In nanoseconds;
  /// 0 for `while` and `always` rules.
  let span: Int64
  /// The longest time by which an `every` rule may act late, in nanoseconds; 0 for other rules.
  let flex: Int64
  /// True when at least one directive of the rule has an `until`.
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
      (span, flex) = (0, 0)
    case .rise(let atMost):
      trigger = .rise
      (span, flex) = (atMost?.nanoseconds ?? 0, 0)
    case .period(let period, let flex):
      trigger = .period
      span = period.nanoseconds
      self.flex = flex?.nanoseconds ?? 0
    }
  }
}

/// The data of a directive that evaluation reads.
struct DirectiveTerms: Sendable {
  private let ruleNumber: Int32
  private let untilPlaces: Places
  /// The duration of the first run; nil in `while` and `always` rules.
  let duration: TimeSpan?
  /// The longest duration of a run; zero in `while` and `always` rules.
  let ceiling: TimeSpan
  /// The largest number of activations; `Int.max` for no limit.
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
