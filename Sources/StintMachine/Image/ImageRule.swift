public import StintModel
public import StintUnits

/// A rule of an image.
public struct ImageRule: Hashable, Sendable {
  /// When the rule acts.
  public enum Trigger: Hashable, Sendable {
    /// A level rule; always in force when it has no code.
    case level
    /// Acts each time its code becomes true, at most once each span.
    case rise(atMost: TimeSpan?)
    /// Acts each period, if its code (when it has any) is true then.
    case period(TimeSpan, flex: TimeSpan?)
  }

  public var id: RuleID
  public var trigger: Trigger
  /// The structure of the trigger as text: what survives a reload must not have changed.
  public var structure: String
  /// The condition; empty for none.
  public var code: Range<Int>
  public var directives: Range<Int>
  public var acts: Range<Int>
  /// True when a device that the rule needs is not there: it never acts.
  public var isInert: Bool
  /// True when it is only listed here: each demand is asked it, by a machine of the image for demands.
  public var isPerDemand = false

  /// Makes a rule.
  public init(
    id: RuleID, trigger: Trigger, structure: String, code: Range<Int>, directives: Range<Int>,
    acts: Range<Int>,
    isInert: Bool
  ) {
    self.id = id
    self.trigger = trigger
    self.structure = structure
    self.code = code
    self.directives = directives
    self.acts = acts
    self.isInert = isInert
  }
}

/// A directive of an image, with its own end.
public struct ImageDirective: Hashable, Sendable {
  public var directive: Directive
  /// Index into `rules`.
  public var rule: Int
  /// Ends it early when true; empty for none.
  public var until: Range<Int>
  /// The structure of `until` as text: with another, it is another directive after a reload.
  public var structure: String
  /// How long an edge rule's directive stays; nil in level rules.
  public var duration: TimeSpan?
  /// The ceiling of doubling; nil when the duration stays as it is.
  public var doublingTo: TimeSpan?
  /// How often in one run; nil for no limit.
  public var atMost: Int?

  /// Makes a directive.
  public init(
    directive: Directive, rule: Int, until: Range<Int>, structure: String = "", duration: TimeSpan?,
    doublingTo: TimeSpan? = nil, atMost: Int? = nil
  ) {
    self.directive = directive
    self.rule = rule
    self.until = until
    self.structure = structure
    self.duration = duration
    self.doublingTo = doublingTo
    self.atMost = atMost
  }
}
