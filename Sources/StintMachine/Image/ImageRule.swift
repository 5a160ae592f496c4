public import StintModel
public import StintUnits

/// A rule of an image.
public struct ImageRule: Hashable, Sendable {
  /// The kind of event or state that makes the rule act.
  public enum Trigger: Hashable, Sendable {
    /// A `while` or `always` rule. Its directives apply while its code is true, or always when the rule has
    /// no code.
    case level
    /// A `when` rule: acts each time its code becomes true, at most once per `atMost`; nil for no limit.
    case rise(atMost: TimeSpan?)
    /// An `every` rule: acts once per period if its code is true or absent. The action may be late by at most
    /// `flex`.
    case period(TimeSpan, flex: TimeSpan?)
  }

  /// The identifier of the rule; unique in an image.
  public var id: RuleID
  /// The trigger of the rule.
  public var trigger: Trigger
  /// The structure of the trigger as a string. A reload keeps the state of the trigger when the structure is
  /// unchanged or differs only in numbers.
  public var structure: String
  /// The range of the condition in `Image.code`; empty when the rule has no condition.
  public var code: Range<Int>
  /// The range of the rule's directives in `Image.directives`.
  public var directives: Range<Int>
  /// The range of the rule's one-time actions in `Image.acts`.
  public var acts: Range<Int>
  /// True when the rule has no effect because its devices are missing. Such a rule never acts.
  public var isInert: Bool
  /// True when the rule is evaluated once per demand. Then this entry is only a placeholder: the code of the
  /// rule is in the per-demand image.
  public var isPerDemand = false

  /// Creates a rule.
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

/// A directive of a rule, with the limits of its duration.
public struct ImageDirective: Hashable, Sendable {
  /// The action and the devices to which it applies.
  public var directive: Directive
  /// The index of the rule in `Image.rules`.
  public var rule: Int
  /// The range in `Image.code` of the `until` condition, which ends the directive early; empty without such a
  /// condition.
  public var until: Range<Int>
  /// The structure of `until` as a string. A reload treats directives as different when their structures
  /// differ in more than numbers.
  public var structure: String
  /// The duration of a directive of a `when` or `every` rule; nil for `while` and `always` rules.
  public var duration: TimeSpan?
  /// The longest duration that doubling may reach; nil when the duration does not double.
  public var doublingTo: TimeSpan?
  /// The largest number of activations; nil for no limit. A directive that has reached this number is not
  /// activated. The count restarts at 0 after a success of the device, or after a pause of twice the longest
  /// duration.
  public var atMost: Int?

  /// Creates a directive.
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
