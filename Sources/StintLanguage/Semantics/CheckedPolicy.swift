public import StintModel
public import StintUnits

/// A policy whose names, types, units and capabilities have been checked: what the compiler takes.
///
/// Devices are spelled out (no aliases), quantities are in base units, parameters are replaced by their
/// values.
public struct CheckedPolicy: Hashable, Sendable {
  public var name: String
  public var version: Int
  /// What the file was called, for messages.
  public var file: String
  public var schedules: [CheckedSchedule]
  public var defaults: [CheckedDefaults]
  public var rules: [CheckedRule]
  /// What the policy's conditions read beside published facts.
  public var computed: [ComputedFact] = []
  public var requirements: [CheckedRequirement] = []
  /// What leads from state to state in the policy's machines; of two that hold the first is taken.
  public var moves: [StateTransition] = []
  public var tests: [CheckedTest] = []

  /// Makes a checked policy; only the checker should.
  public init(
    name: String, version: Int, file: String, schedules: [CheckedSchedule] = [],
    defaults: [CheckedDefaults] = [],
    rules: [CheckedRule] = []
  ) {
    self.name = name
    self.version = version
    self.file = file
    self.schedules = schedules
    self.defaults = defaults
    self.rules = rules
  }
}

/// A named set of windows of local time.
public struct CheckedSchedule: Hashable, Sendable {
  /// One window; it runs past midnight when `to` is not after `from`, and belongs to the day on which it
  /// begins.
  public struct Window: Hashable, Sendable {
    /// 0 is Monday; empty for every day.
    public var days: [Int]
    /// Since local midnight.
    public var from: TimeSpan
    public var to: TimeSpan

    /// Makes a window.
    public init(days: [Int], from: TimeSpan, to: TimeSpan) {
      self.days = days
      self.from = from
      self.to = to
    }
  }

  public var name: String
  public var windows: [Window]

  /// Makes a schedule.
  public init(name: String, windows: [Window]) {
    self.name = name
    self.windows = windows
  }
}

/// The defaults of a device, for demands that leave a setting open.
public struct CheckedDefaults: Hashable, Sendable {
  public var device: DeviceID
  public var wants: DemandSettings
  /// How long the device stays on after its last demand.
  public var linger: TimeSpan?
  /// How old the device's facts may grow; replaces what the manifest says.
  public var maxAge: TimeSpan?
  /// What holds for clients' services on it.
  public var services = ServiceDefaults()

  /// The defaults in the form that the governor and the services use.
  public var inForce: DeviceDefaults {
    DeviceDefaults(device: device, wants: wants, linger: linger, services: services)
  }

  /// Makes defaults.
  public init(device: DeviceID, wants: DemandSettings, linger: TimeSpan? = nil, maxAge: TimeSpan? = nil) {
    self.device = device
    self.wants = wants
    self.linger = linger
    self.maxAge = maxAge
  }
}

/// A rule: when it is in force, and what it then wants.
public struct CheckedRule: Hashable, Sendable {
  public var id: RuleID
  /// The sentence behind the name, for `why`.
  public var note: String?
  /// Where the rule's name stands in its file.
  public var span: SourceSpan
  public var trigger: CheckedTrigger
  /// Rules that are put aside where this one holds, for the targets that both name.
  public var overrides: [RuleID]
  public var directives: [CheckedDirective]
  public var acts: [Act]
  /// True when nothing is left of the rule without the devices that are not there: it never acts, and `why` says so.
  public var isInert: Bool
  /// Whether a device that it names is missing, so that another site may find more in it.
  public var lacksDevice = false
  /// Whether it is a step of a budget: no rule puts it aside.
  public var isBudget = false
  /// Whether it reads `client.*`: it is then evaluated once for each demand on its targets.
  public var isPerDemand = false

  /// Makes a rule.
  public init(
    id: RuleID, note: String? = nil, span: SourceSpan, trigger: CheckedTrigger, overrides: [RuleID] = [],
    directives: [CheckedDirective] = [], acts: [Act] = [], isInert: Bool = false
  ) {
    self.id = id
    self.note = note
    self.span = span
    self.trigger = trigger
    self.overrides = overrides
    self.directives = directives
    self.acts = acts
    self.isInert = isInert
  }
}

/// When a rule acts.
public enum CheckedTrigger: Hashable, Sendable {
  /// A level rule without condition.
  case always
  /// A level rule: in force exactly while the condition is true.
  case whilst(CheckedExpression)
  /// An edge rule: acts each time the condition becomes true, at most once each `atMost`.
  case when(CheckedExpression, atMost: TimeSpan?)
  /// An edge rule: acts each period, up to `flex` late if that shares a wake, if the condition is true then.
  case every(TimeSpan, flex: TimeSpan?, condition: CheckedExpression?)
}

/// A directive with its own end.
public struct CheckedDirective: Hashable, Sendable {
  public var directive: Directive
  /// Ends the directive early when it becomes true (`defer … until`); nil for none.
  public var until: CheckedExpression?
  /// Always present in edge rules, unless the directive has an `until` with a deadline.
  public var ending: CheckedEnding?
  public var span: SourceSpan

  /// Makes a directive.
  public init(
    directive: Directive, until: CheckedExpression? = nil, ending: CheckedEnding? = nil, span: SourceSpan
  ) {
    self.directive = directive
    self.until = until
    self.ending = ending
    self.span = span
  }
}

/// `for 5 min doubling to 1 h at most 8 times`.
public struct CheckedEnding: Hashable, Sendable {
  public var duration: TimeSpan
  /// The ceiling; nil when the duration stays as it is.
  public var doublingTo: TimeSpan?
  /// How often in one run; nil for no limit.
  public var atMost: Int?

  /// Makes an ending.
  public init(duration: TimeSpan, doublingTo: TimeSpan? = nil, atMost: Int? = nil) {
    self.duration = duration
    self.doublingTo = doublingTo
    self.atMost = atMost
  }
}
