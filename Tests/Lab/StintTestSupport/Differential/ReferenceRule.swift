import StintModel

/// A rule of the reference evaluator, with its complete history.
final class ReferenceRule {
  enum Kind {
    case level
    /// Fires when the condition becomes true, at least this number of nanoseconds after the previous firing.
    case rise(Int64)
    /// Fires once per period, whose length is in nanoseconds. Fires on the first page of a wake-up after the
    /// end of a period, and at the latest `flex` nanoseconds after this end.
    case period(Int64, flex: Int64)
  }

  /// A time span in which a directive of a `when` or `every` rule was in force.
  struct Run {
    var start: Int64
    var end: Int64
    /// The index of the page (`ReferencePage`) on which the run began.
    var page: Int
  }

  struct Directive {
    var action: PlanPolicy.Action
    var targets: [PlanWorld.Device]
    /// The index of the node of the condition that ends the directive; nil when no condition ends the
    /// directive.
    var until: Int?
    /// The duration of the first run, in nanoseconds.
    var span: Int64 = .max
    /// The maximum duration of a run, in nanoseconds.
    var ceiling: Int64 = .max
    var atMost = Int.max
    var runs: [Run] = []
    var isInForce = false
    /// The ids of the demands that the directive raised.
    var raised: [Int64] = []
  }

  var id: RuleID
  var kind: Kind
  /// The index of the condition's node; nil when the rule is always active.
  var condition: Int?
  var directives: [Directive] = []
  var acts: [PlanPolicy.Act] = []
  /// The text of the violated requirement, for a rule that monitors a requirement.
  var violation: String?
  /// The state machine whose state the rule changes, and the target state.
  var move: (policy: Int, machine: Int, target: Int)?
  var over: [String] = []
  /// The indices of the rules that override this rule.
  var rivals: [Int] = []
  var wasTrue = false
  /// True while the rule is active.
  var isActive = false
  /// The instants at which the rule fired.
  var fired: [Int64] = []
  /// The number of completed periods for which the rule has already been evaluated.
  var periods: Int64 = 0

  init(id: RuleID, kind: Kind, condition: Int?) {
    self.id = id
    self.kind = kind
    self.condition = condition
  }

  func reaches(_ device: PlanWorld.Device) -> Bool { directives.contains { $0.targets.contains(device) } }
}
