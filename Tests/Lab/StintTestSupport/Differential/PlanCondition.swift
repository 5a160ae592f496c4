import StintModel

/// A condition in a random policy. All time spans are in units of `PlanWorld.unit`.
indirect enum PlanCondition: Hashable, Sendable {
  /// A Boolean fact.
  case flag(PlanWorld.Fact)
  /// The value of the fact is one of the words with these indices.
  case words(PlanWorld.Fact, [Int])
  case known(PlanWorld.Fact)
  case age(PlanWorld.Fact, Comparison, Int)
  case demanded(PlanWorld.Device)
  case isOn(PlanWorld.Device)
  case available(PlanWorld.Device)
  /// The schedule with this index in the policy.
  case schedule(Int)
  case zone(ZoneQuery, Int)
  case compare(PlanAmount, Comparison, PlanAmount)
  /// `between`, with its limits in metres.
  case between(PlanAmount, Int, Int)
  /// `avg` or `trend`, compared with a bound in metres. The policy text adds a fraction to the bound, so that
  /// no value of the function equals it.
  case smooth(WindowFunction, PlanWorld.Fact, Int, Comparison, Int)
  case latch(LatchSide, PlanAmount, threshold: Int, release: Int)
  /// The battery level in percent.
  case level(Comparison, Int)
  case levelLatch(LatchSide, threshold: Int, release: Int)
  /// The number of publications of the fact within this number of units.
  case count(PlanWorld.Fact, Int, Comparison, Int)
  /// More publications than `moreThan` + 0.5 within this number of units.
  case rate(PlanWorld.Fact, Int, moreThan: Int)
  /// The used share of a budget, in percent.
  case share(Int, Comparison, Int)
  /// More wake-ups per hour than `moreThan` + 0.5.
  case wakeups(PlanWorld.Device, moreThan: Int)
  /// The energy since midnight exceeds the energy that the device draws in `moreThan` units, plus a small
  /// amount.
  case energy(PlanWorld.Device, moreThan: Int)
  /// `unexplained < 1 s`, which is always true.
  case explained
  /// The state machine with this index in the policy is in one of these states.
  case states(Int, [Int])
  /// The `let` with this index in the policy.
  case named(Int)
  case not(PlanCondition)
  case and([PlanCondition])
  case or([PlanCondition])
  case implies(PlanCondition, PlanCondition)
  case heldFor(PlanCondition, Int, tolerate: Int?)
  case inLast(PlanCondition, Int)
}

extension PlanCondition {
  /// Returns this condition as the exit condition of a state. Each `for` outside `in last` counts only the
  /// time for which the state machine has been in the state.
  func counting(in state: PlanCondition, lets: [PlanCondition]) -> PlanCondition {
    func inner(_ part: PlanCondition) -> PlanCondition { part.counting(in: state, lets: lets) }
    switch self {
    case .named(let place): return inner(lets[place])
    case .not(let operand): return .not(inner(operand))
    case .and(let operands): return .and(operands.map(inner))
    case .or(let operands): return .or(operands.map(inner))
    case .implies(let left, let right): return .implies(inner(left), inner(right))
    case .heldFor(let operand, let span, let tolerate):
      return .heldFor(.and([state, inner(operand)]), span, tolerate: tolerate)
    default: return self
    }
  }
}
