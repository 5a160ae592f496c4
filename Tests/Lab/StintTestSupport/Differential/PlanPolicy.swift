import StintModel

/// A random policy as data. Its source text and the rules of `PolicyReference` are made from it. All time
/// spans are in units of `PlanWorld.unit`.
struct PlanPolicy: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    case start(client: String?, accuracy: Int?, period: Int?)
    case stop(except: [String])
    case pause
    case limitAccuracy(Int)
    case slow(Int)
    case batch([Bound])
    case deferred(until: PlanCondition, deadline: Int)
  }

  enum Bound: Hashable, Sendable {
    case time(Int)
    case items(Int)
    case metres(Int)
  }

  /// The end of a directive of a `when` or `every` rule. `span` is its duration, `doublingTo` is the maximum
  /// duration after doublings, and `atMost` is the maximum number of runs.
  struct Ending: Hashable, Sendable {
    var span: Int
    var doublingTo: Int?
    var atMost: Int?
  }

  /// A directive: an action on its target devices. Directives of `when` and `every` rules can have an ending.
  struct Directive: Hashable, Sendable {
    var action: Action
    var targets: [PlanWorld.Device]
    var ending: Ending?
  }

  enum Act: Hashable, Sendable {
    case emit(String)
    case tell(String, String)
    case launch(String)
    /// An accuracy in metres, and a timeout in units.
    case fix(Int, Int)
  }

  enum Trigger: Hashable, Sendable {
    case always
    case whilst(PlanCondition)
    /// Acts when the condition becomes true, at most once in this number of units.
    case when(PlanCondition, atMostOncePer: Int?)
    /// Acts once in this number of units, at most `flex` units late.
    case every(Int, flex: Int?, PlanCondition?)
  }

  struct Rule: Hashable, Sendable {
    var name: String
    /// The rules that this rule overrides, as `POLICY/NAME`.
    var over: [String]
    var trigger: Trigger
    var directives: [Directive]
    var acts: [Act]
  }

  /// A transition of a state machine: the index of its target state, and its condition.
  struct Transition: Hashable, Sendable {
    var target: Int
    var condition: PlanCondition
  }

  struct State: Hashable, Sendable {
    var directives: [Directive]
    var rules: [Rule]
    var transitions: [Transition]
  }

  /// The directives that apply while at least this percentage of a budget is used.
  struct Step: Hashable, Sendable {
    var percent: Int
    var directives: [Directive]
  }

  struct Budget: Hashable, Sendable {
    /// The amount of the budget, as the number of units of time for which all its devices can be on.
    var units: Int
    var period: String
    /// The start of the budget's period, in minutes after the start of the calendar hour, day or week.
    var from: Int
    var devices: [PlanWorld.Device]
    var steps: [Step]
  }

  enum Zone: Hashable, Sendable {
    case circle(enter: Int, exit: Int)
    case beacon(enter: Int, exit: Int)
  }

  struct Defaults: Hashable, Sendable {
    var device: PlanWorld.Device
    var accuracy: Int?
    var period: Int?
    var linger: Int?
    var maxAge: Int?
    var isInBackground: Bool?
    var mayPause: Bool?
  }

  /// A window of a schedule. The start and the end are minutes of the day. The days, with 0 for Monday, are
  /// those on which the window begins; no days means every day.
  struct Window: Hashable, Sendable {
    var days: [Int]
    var from: Int
    var to: Int
  }

  /// An item of the policy text that contains rules. A number is an index in `machines` or `budgets`.
  enum Item: Hashable, Sendable {
    case rule(Rule)
    case machine(Int)
    case budget(Int)
  }

  var name: String
  var lets: [PlanCondition] = []
  /// The default values of the parameters, in metres.
  var parameters: [Int] = []
  var schedules: [[Window]] = []
  var zones: [Zone] = []
  var defaults: [Defaults] = []
  var machines: [[State]] = []
  var budgets: [Budget] = []
  var requirements: [PlanCondition] = []
  /// The items in the order of the text.
  var items: [Item] = []
}
