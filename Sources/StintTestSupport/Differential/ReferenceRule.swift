import StintModel

/// A rule of the reference, with all that it ever did.
final class ReferenceRule {
  enum Kind {
    case level
    /// At least the given number of nanoseconds apart.
    case rise(Int64)
    case period(Int64)
  }

  /// A stretch of time in which an order of an edge rule was in force.
  struct Run {
    var start: Int64
    var end: Int64
    /// The page on which it began.
    var page: Int
  }

  struct Order {
    var action: PlanPolicy.Action
    var targets: [PlanWorld.Device]
    /// The node of what ends it.
    var until: Int?
    /// How long it first runs, and at most; nanoseconds.
    var span: Int64 = .max
    var ceiling: Int64 = .max
    var atMost = Int.max
    var runs: [Run] = []
    var isInForce = false
    /// The demands that it raised.
    var raised: [Int64] = []
  }

  var id: RuleID
  var kind: Kind
  /// The node of its condition; nil when it always holds.
  var condition: Int?
  var orders: [Order] = []
  var acts: [PlanPolicy.Act] = []
  /// What a broken promise says.
  var violation: String?
  /// The machine that it moves, and to which state.
  var move: (policy: Int, machine: Int, target: Int)?
  var over: [String] = []
  /// The places of the rules that are written to be over this one.
  var rivals: [Int] = []
  var wasTrue = false
  var isHeld = false
  var fired: [Int64] = []
  /// How many of its periods are over.
  var periods: Int64 = 0

  init(id: RuleID, kind: Kind, condition: Int?) {
    self.id = id
    self.kind = kind
    self.condition = condition
  }

  func reaches(_ device: PlanWorld.Device) -> Bool { orders.contains { $0.targets.contains(device) } }
}
