public import StintModel
public import StintUnits

/// A policy whose names, types, units and capabilities have been checked; the input of the compiler.
///
/// Aliases are replaced by devices, quantities are in base units, and parameters are replaced by their
/// values.
public struct CheckedPolicy: Hashable, Sendable {
  /// The name of the policy, unique among the policies that are loaded together.
  public var name: String
  /// The version that the file declares; 1 when the file declares no version.
  public var version: Int
  /// The name of the source file, for messages.
  public var file: String
  /// The schedules; conditions refer to them by index.
  public var schedules: [CheckedSchedule]
  /// The default settings of devices.
  public var defaults: [CheckedDefaults]
  /// The rules, including those of budgets and state machines.
  public var rules: [CheckedRule]
  /// The computed facts that the policy's conditions read in addition to published facts.
  public var computed: [ComputedFact] = []
  /// The requirements, in file order.
  public var requirements: [CheckedRequirement] = []
  /// The transitions of the policy's state machines. Of several transitions out of a state, the first whose
  /// condition is true happens.
  public var moves: [StateTransition] = []
  /// The test blocks, in file order.
  public var tests: [CheckedTest] = []
  /// The name of each device that the policy declares with `use`; of several names, the first.
  public var deviceNames: [DeviceID: String] = [:]

  /// Returns the name under which the policy can use the device: its own name, or else the full name.
  public func name(of device: DeviceID) -> String { deviceNames[device] ?? device.path }

  /// Creates a checked policy; intended for the checker only.
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
  /// One window of local time. When `to` is not after `from`, the window ends on the next day and belongs to
  /// the day on which it begins.
  public struct Window: Hashable, Sendable {
    /// The weekdays, 0 for Monday; empty for every day.
    public var days: [Int]
    /// The beginning, since local midnight.
    public var from: TimeSpan
    /// The end, since local midnight; exclusive.
    public var to: TimeSpan

    /// Creates a window.
    public init(days: [Int], from: TimeSpan, to: TimeSpan) {
      self.days = days
      self.from = from
      self.to = to
    }
  }

  /// The name of the schedule.
  public var name: String
  /// The windows. A time is inside the schedule when it is inside one of the windows.
  public var windows: [Window]

  /// Creates a schedule.
  public init(name: String, windows: [Window]) {
    self.name = name
    self.windows = windows
  }
}

/// The default settings of a device, for demands that omit a setting.
public struct CheckedDefaults: Hashable, Sendable {
  /// The device that the defaults apply to.
  public var device: DeviceID
  /// The default settings; a setting that is nil has no default.
  public var wants: DemandSettings
  /// The time for which the device stays on after its last demand; nil to use the manifest's value.
  public var linger: TimeSpan?
  /// The age at which the device's facts become unknown; nil to use the manifest's value.
  public var maxAge: TimeSpan?
  /// The defaults of services that clients run on the device.
  public var services = ServiceDefaults()

  /// The defaults in the form that the governor and the services use.
  public var inForce: DeviceDefaults {
    DeviceDefaults(device: device, wants: wants, linger: linger, services: services)
  }

  /// Creates defaults.
  public init(device: DeviceID, wants: DemandSettings, linger: TimeSpan? = nil, maxAge: TimeSpan? = nil) {
    self.device = device
    self.wants = wants
    self.linger = linger
    self.maxAge = maxAge
  }
}

/// A rule: the condition under which it is in force, and its directives and acts.
public struct CheckedRule: Hashable, Sendable {
  /// The policy's name and the rule's name.
  public var id: RuleID
  /// The explanation of the rule, which `stint why` shows; nil when the rule has no explanation.
  public var note: String?
  /// The position of the rule's name in its file.
  public var span: SourceSpan
  /// The condition or time at which the rule acts.
  public var trigger: CheckedTrigger
  /// The rules that this rule overrides while it is active, on the devices that occur in both rules.
  public var overrides: [RuleID]
  /// The directives that are in force with the rule.
  public var directives: [CheckedDirective]
  /// The acts that a `when` or `every` rule performs each time it acts.
  public var acts: [Act]
  /// True when the rule has no effect because its devices are missing. Such a rule never acts, and `why`
  /// reports it.
  public var isInert: Bool
  /// The devices in the rule that are missing, in ascending order. On other hardware the rule may do more.
  public var missingDevices: [String] = []
  /// True when a device in the rule is missing.
  public var lacksDevice: Bool { !missingDevices.isEmpty }
  /// True for a step of a budget, which no rule can override.
  public var isBudget = false
  /// True when the rule reads `client.*`. Such a rule is evaluated once for each demand on its targets.
  public var isPerDemand = false

  /// Creates a rule.
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

/// The condition or time at which a rule acts.
public enum CheckedTrigger: Hashable, Sendable {
  /// An `always` rule, which has no condition.
  case always
  /// A `while` rule: in force exactly while the condition is true.
  case whilst(CheckedExpression)
  /// A `when` rule: acts each time the condition becomes true, at most once per `atMost`.
  case when(CheckedExpression, atMost: TimeSpan?)
  /// An `every` rule: acts once per period if the condition is true then. The rule may act up to `flex` late
  /// to share a wake-up.
  case every(TimeSpan, flex: TimeSpan?, condition: CheckedExpression?)
}

/// A directive of a rule, with the condition and the duration that end it.
public struct CheckedDirective: Hashable, Sendable {
  /// The action, its target devices, and the clients that are exempt from it.
  public var directive: Directive
  /// The condition that ends the directive early when it becomes true (`defer … until`). Nil when there is no
  /// such condition.
  public var until: CheckedExpression?
  /// The duration of the directive. Nil in `while` and `always` rules, and for an `until` with a deadline.
  public var ending: CheckedEnding?
  /// The position of the directive in its file.
  public var span: SourceSpan

  /// Creates a directive.
  public init(
    directive: Directive, until: CheckedExpression? = nil, ending: CheckedEnding? = nil, span: SourceSpan
  ) {
    self.directive = directive
    self.until = until
    self.ending = ending
    self.span = span
  }
}

/// The end of a directive, as in `for 5 min doubling to 1 h at most 8 times`.
public struct CheckedEnding: Hashable, Sendable {
  /// The duration, or the first duration when it doubles.
  public var duration: TimeSpan
  /// The longest duration after doubling; nil when the duration is constant.
  public var doublingTo: TimeSpan?
  /// The largest number of activations before the count starts again; nil for no limit. The count starts
  /// again after a success of the device, or after a pause of twice the longest duration.
  public var atMost: Int?

  /// Creates an ending.
  public init(duration: TimeSpan, doublingTo: TimeSpan? = nil, atMost: Int? = nil) {
    self.duration = duration
    self.doublingTo = doublingTo
    self.atMost = atMost
  }
}
