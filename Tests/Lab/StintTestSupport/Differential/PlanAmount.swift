import StintModel

/// An expression in a random policy whose value is a length in metres.
indirect enum PlanAmount: Hashable, Sendable {
  case metres(Int)
  case fact(PlanWorld.Fact)
  /// The parameter with this index in the policy.
  case parameter(Int)
  /// A window function of a fact. The last value is the length of the window in units of `PlanWorld.unit`.
  case window(WindowFunction, PlanWorld.Fact, Int)
  case negated(PlanAmount)
  case sum(PlanAmount, PlanAmount)
  case difference(PlanAmount, PlanAmount)
  case scaled(PlanAmount, by: Int)
  case halved(PlanAmount)
  /// An amount clamped to two limits in metres.
  case clamped(PlanAmount, Int, Int)

  func text(_ world: PlanWorld) -> String {
    switch self {
    case .metres(let count): "\(count) m"
    case .fact(let fact): fact.path
    case .parameter(let place): "distance\(place)"
    case .window(let function, let fact, let count):
      "\(function.rawValue)(\(fact.path), \(world.text(count)))"
    case .negated(let operand): "-(\(operand.text(world)))"
    case .sum(let left, let right): "(\(left.text(world))) + (\(right.text(world)))"
    case .difference(let left, let right): "(\(left.text(world))) - (\(right.text(world)))"
    case .scaled(let operand, let factor): "(\(operand.text(world))) * \(factor)"
    case .halved(let operand): "(\(operand.text(world))) / 2"
    case .clamped(let operand, let low, let high): "clamp(\(operand.text(world)), \(low) m, \(high) m)"
    }
  }
}
