import StintModel

extension PlanGenerator {
  mutating func condition(depth: Int) -> PlanCondition {
    guard depth > 0 else { return leaf() }
    switch number(0...15) {
    case 0: return .not(condition(depth: depth - 1))
    case 1, 2: return .and(conditions(depth: depth - 1))
    case 3, 4: return .or(conditions(depth: depth - 1))
    case 5: return .implies(condition(depth: depth - 1), condition(depth: depth - 1))
    case 6, 7: return .heldFor(condition(depth: depth - 1), number(1...5), tolerate: nil)
    case 8: return .heldFor(condition(depth: depth - 1), number(2...6), tolerate: number(1...4))
    case 9: return .inLast(condition(depth: depth - 1), number(1...5))
    default: return leaf()
    }
  }

  private mutating func conditions(depth: Int) -> [PlanCondition] {
    (0..<number(2...3)).map { _ in condition(depth: depth) }
  }

  private mutating func leaf() -> PlanCondition {
    switch number(0...23) {
    case 0, 1: return .flag(pick([.flag, .screen, .beacon]))
    case 2:
      return once(in: 3)
        ? .words(.app, [number(0...1)]) : .words(.activity, pick([[0], [1], [2], [0, 1], [1, 2], [2, 0]]))
    case 3: return .known(pick([.flag, .far, .near, .accuracy, .screen]))
    case 4:
      return .age(
        pick([.flag, .far, .near, .accuracy, .screen]),
        pick([.less, .lessOrEqual, .greater, .greaterOrEqual]), number(1...6))
    case 5:
      let device = pick([PlanWorld.Device.fast, .slow])
      return startDevices.contains(device.rawValue) ? .isOn(device) : .demanded(device)
    case 6: return .isOn(pick([.fast, .slow]))
    case 7: return .available(pick([.fast, .slow]))
    case 8 where !policy.schedules.isEmpty: return .schedule(number(0...policy.schedules.count - 1))
    case 9, 10:
      guard !policy.zones.isEmpty else { return comparison() }
      let place = number(0...policy.zones.count - 1)
      let questions: [ZoneQuery] =
        if case .beacon = policy.zones[place] { [.inside, .enter, .exit, .heard] } else {
          [.inside, .enter, .exit]
        }
      return .zone(pick(questions), place)
    case 11: return window()
    case 12: return latch()
    case 13: return .level(pick(Comparison.allCases), 25 * number(0...4))
    case 14:
      let low = 25 * number(0...3)
      return once(in: 2)
        ? .levelLatch(.below, threshold: low + 25, release: low + pick([25, 50]) % 125)
        : .levelLatch(.above, threshold: low + 25, release: low)
    case 15, 16:
      guard !policy.budgets.isEmpty else { return comparison() }
      return .share(
        number(0...policy.budgets.count - 1), pick([.less, .lessOrEqual, .greater, .greaterOrEqual]),
        pick([0, 10, 33, 50, 75, 100]))
    case 17: return .wakeups(pick([.fast, .slow]), moreThan: number(0...4))
    case 18: return .energy(pick([.fast, .slow]), moreThan: number(0...15))
    case 19 where once(in: 3): return .explained
    case 19, 20:
      guard !stateCounts.isEmpty else { return comparison() }
      let machine = number(0...stateCounts.count - 1)
      let states = Array(0..<stateCounts[machine]).shuffled(using: &generator)
      return .states(machine, Array(states.prefix(number(1...states.count - 1))))
    case 22:
      // A `between` is made from a comparison, so both consume equally many random numbers. The values of all
      // other parts of the policy then do not depend on this choice.
      let comparison = comparison()
      guard case .compare(let left, let operation, _) = comparison else { return comparison }
      let high = Comparison.allCases.firstIndex(of: operation) ?? 0
      return .between(left, high / 2, high)
    case 21 where !policy.lets.isEmpty: return .named(number(0...policy.lets.count - 1))
    default: return comparison()
    }
  }

  private mutating func comparison() -> PlanCondition {
    .compare(amount(depth: number(0...2)), pick(Comparison.allCases), amount(depth: 1))
  }

  private mutating func latch() -> PlanCondition {
    let threshold = number(1...5)
    return once(in: 2)
      ? .latch(.below, amount(depth: 1), threshold: threshold, release: threshold + number(0...2))
      : .latch(.above, amount(depth: 1), threshold: threshold, release: threshold - number(0...2))
  }

  private mutating func window() -> PlanCondition {
    let fact = pick([PlanWorld.Fact.near, .far, .accuracy])
    let any = pick([PlanWorld.Fact.near, .far, .flag, .activity, .screen])
    switch number(0...3) {
    case 0: return .count(any, number(2...8), pick(Comparison.allCases), number(0...3))
    case 1: return .rate(any, number(2...8), moreThan: number(0...3))
    default:
      let bound = fact == .accuracy ? pick([20, 60]) : number(0...5)
      return once(in: 2)
        ? .smooth(.avg, fact, number(2...8), pick([.less, .greater]), bound)
        : .smooth(.trend, fact, number(3...9), pick([.less, .greater]), number(-3...3))
    }
  }

  /// Generates an amount that a double represents exactly, so that rounding never changes a comparison.
  private mutating func amount(depth: Int) -> PlanAmount {
    switch number(0...(depth > 0 ? 12 : 7)) {
    case 0, 1: return .metres(number(0...6))
    case 2 where !policy.parameters.isEmpty: return .parameter(number(0...policy.parameters.count - 1))
    case 2, 3, 4: return .fact(pick([.near, .near, .far]))
    case 5: return .fact(.accuracy)
    case 6, 7: return .window(pick([.min, .max, .spread]), pick([.near, .far]), number(2...8))
    case 8: return .negated(amount(depth: depth - 1))
    case 9: return .sum(amount(depth: depth - 1), amount(depth: depth - 1))
    case 10: return .difference(amount(depth: depth - 1), amount(depth: depth - 1))
    case 11:
      // A `clamp` and a product consume equally many random numbers. The values of all other parts of the
      // policy then do not depend on this choice.
      let operand = amount(depth: depth - 1)
      return number(2...3) == 2 ? .scaled(operand, by: 2) : .clamped(operand, 1, 4)
    default: return .halved(amount(depth: depth - 1))
    }
  }
}
