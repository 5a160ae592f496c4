import StintModel
import StintUnits

/// The conditions of policies as an array of nodes, with the value of each node on every page. A page is the
/// state between two changes (`ReferencePage`). The operands of a node precede the node in the array.
struct ReferenceNodes {
  enum Kind {
    /// A condition that depends only on the present page; `policy` is the index of its policy.
    case leaf(PlanCondition, policy: Int)
    case number(PlanAmount, policy: Int)
    case constant(FactValue)
    case not
    case and
    case or
    case compare(Comparison)
    case between
    case clamp
    case arithmetic(Arithmetic)
    case latch(LatchSide)
    /// True when the operand has been true for this number of nanoseconds.
    case heldFor(Int64, tolerate: Int64?)
    case inLast(Int64)
  }

  final class Node {
    let kind: Kind
    let operands: [Node]
    /// The value on each page.
    var history: [FactValue] = []

    init(_ kind: Kind, _ operands: [Node]) {
      self.kind = kind
      self.operands = operands
    }
  }

  let world: PlanWorld
  let policies: [PlanPolicy]
  private(set) var nodes: [Node] = []
  /// The time of each page, in nanoseconds.
  private(set) var times: [Int64] = []

  init(world: PlanWorld, policies: [PlanPolicy]) {
    self.world = world
    self.policies = policies
  }

  /// Whether a node was true on the last page.
  func isTrue(_ node: Int) -> Bool { nodes[node].history.last == .boolean(true) }

  private mutating func add(_ kind: Kind, _ operands: [Int] = []) -> Int {
    nodes.append(Node(kind, operands.map { nodes[$0] }))
    return nodes.count - 1
  }

  private func nanoseconds(_ count: Int) -> Int64 { world.span(count).nanoseconds }

  // MARK: Building nodes

  mutating func add(_ condition: PlanCondition, of policy: Int) -> Int {
    switch condition {
    case .named(let place): return add(policies[policy].lets[place], of: policy)
    case .not(let operand): return add(.not, [add(operand, of: policy)])
    case .and(let operands): return add(.and, operands.map { add($0, of: policy) })
    case .or(let operands): return add(.or, operands.map { add($0, of: policy) })
    case .implies(let left, let right):
      let operands = [add(.not, [add(left, of: policy)]), add(right, of: policy)]
      return add(.or, operands)
    case .compare(let left, let comparison, let right):
      return add(.compare(comparison), [add(left, of: policy), add(right, of: policy)])
    case .between(let amount, let low, let high):
      return add(.between, [add(amount, of: policy), constant(low), constant(high)])
    case .latch(let side, let amount, let threshold, let release):
      let operands = [add(amount, of: policy), constant(threshold), constant(release)]
      return add(.latch(side), operands)
    case .levelLatch(let side, let threshold, let release):
      let level = add(.number(.fact(.level), policy: policy))
      let limits = [threshold, release].map { add(.constant(.number(Double($0) / 100))) }
      return add(.latch(side), [level] + limits)
    case .heldFor(let operand, let span, let tolerate):
      return add(.heldFor(nanoseconds(span), tolerate: tolerate.map(nanoseconds)), [add(operand, of: policy)])
    case .inLast(let operand, let span): return add(.inLast(nanoseconds(span)), [add(operand, of: policy)])
    default: return add(.leaf(condition, policy: policy))
    }
  }

  private mutating func constant(_ value: Int) -> Int { add(.constant(.number(Double(value)))) }

  private mutating func add(_ amount: PlanAmount, of policy: Int) -> Int {
    switch amount {
    case .metres(let count): constant(count)
    case .parameter(let place): constant(policies[policy].parameters[place])
    case .fact, .window: add(.number(amount, policy: policy))
    case .negated(let operand): add(.arithmetic(.subtract), [constant(0), add(operand, of: policy)])
    case .clamped(let operand, let low, let high):
      add(.clamp, [add(operand, of: policy), constant(low), constant(high)])
    case .sum(let left, let right):
      add(.arithmetic(.add), [add(left, of: policy), add(right, of: policy)])
    case .difference(let left, let right):
      add(.arithmetic(.subtract), [add(left, of: policy), add(right, of: policy)])
    case .scaled(let operand, let factor):
      add(.arithmetic(.multiply), [add(operand, of: policy), constant(factor)])
    case .halved(let operand): add(.arithmetic(.divide), [add(operand, of: policy), constant(2)])
    }
  }

  // MARK: Beginning a page

  /// Computes the value of every node on a new page.
  mutating func turn(at time: Int64, leaf: (Kind) -> FactValue) {
    times.append(time)
    for node in nodes {
      let value: FactValue =
        switch node.kind {
        case .leaf, .number: leaf(node.kind)
        default: computedValue(of: node)
        }
      node.history.append(value)
    }
  }

  private func computedValue(of node: Node) -> FactValue {
    func value(_ operand: Int) -> FactValue { node.operands[operand].history[times.count - 1] }
    switch node.kind {
    case .leaf, .number: return .unknown
    case .constant(let value): return value
    case .not: return if case .boolean(let truth) = value(0) { .boolean(!truth) } else { .unknown }
    case .and: return joined(node.operands, decisive: false)
    case .or: return joined(node.operands, decisive: true)
    case .compare(let comparison): return Self.compared(value(0), comparison, value(1))
    case .between: return Self.lies(value(0), from: value(1), to: value(2))
    case .clamp: return Self.clamped(value(0), from: value(1), to: value(2))
    case .arithmetic(let operation): return Self.calculated(value(0), operation, value(1))
    case .latch(let side): return latched(side, node.operands)
    case .heldFor(let span, let tolerate): return heldFor(node.operands[0], span, tolerate)
    case .inLast(let span): return wasTrueInLast(node.operands[0], span)
    }
  }
}
