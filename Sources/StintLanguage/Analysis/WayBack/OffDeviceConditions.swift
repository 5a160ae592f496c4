import StintModel

/// The values that conditions can still take while some devices are off.
struct OffDeviceConditions {
  private var space: ConditionSpace
  private(set) var formulas: [Formula]
  private var isFixed: [Bool]

  /// Creates the variables and formulas of conditions while some devices are off. Each condition comes with
  /// the name of its policy.
  init(
    _ conditions: [(CheckedExpression, policy: String)], offFacts: OffDeviceFacts,
    schedules: [String: [CheckedSchedule]], vocabulary: Vocabulary
  ) {
    space = ConditionSpace(vocabulary: vocabulary)
    let conditions = conditions.map { (offFacts.withoutEmptyingWindows($0.0), policy: $0.policy) }
    for (condition, policy) in conditions { space.note(condition, of: policy) }
    space.finish()
    isFixed = []
    for number in space.variables.indices {
      let variable = space.variables[number]
      switch offFacts.behavior(of: variable.leaf, cells: variable.cells, schedules: schedules) {
      case .canBecome(let cells):
        space.restrict(number, to: cells)
        isFixed.append(false)
      case .fixed(let cells):
        space.restrict(number, to: cells)
        isFixed.append(true)
      }
    }
    formulas = conditions.map { [space] in space.formula($0.0, of: $0.policy) }
  }

  private var counts: [Int] { space.variables.map(\.cells.count) }

  /// Returns a formula that is true when `formula` may have been true before the devices were turned off.
  ///
  /// Only facts that keep their value while the devices are off restrict the result. All other facts may have
  /// had any value.
  func wasPossible(_ formula: Formula) -> Formula {
    formula.possible { number in
      guard isFixed[number] else { return false }
      switch space.variables[number].leaf {
      case .fact, .outcome: return space.variables[number].cells.count > 1
      default: return false
      }
    }
  }

  /// Returns the formula with a state machine fixed to a state.
  func formula(_ formula: Formula, where machine: String, is state: Int) -> Formula {
    guard let number = space.number(of: .fact(machine)),
      let cell = space.variables[number].cells.firstIndex(of: Double(state))
    else { return formula }
    return formula.with(number, at: cell)
  }

  /// Returns values of facts that cannot change, with which the formula remains true.
  ///
  /// - Returns: nil when the formula can become false, or when the search cannot decide.
  mutating func search(_ formula: Formula) -> [Witness.Reading]? {
    // First assume that every fixed latch (a comparison with a `release`) is false between its limits, so
    // that current values of facts alone make the formula true. If no such values exist, allow every state of
    // the latches.
    let fresh = space.variables.indices.map { number -> Int? in
      if case .memory = space.variables[number].leaf, isFixed[number] { 0 } else { nil }
    }
    for start in fresh.contains(where: { $0 != nil }) ? [fresh, fresh.map { _ in nil }] : [fresh] {
      var search = SatisfiabilitySearch(formula, isFixed: isFixed, counts: counts)
      if case .satisfiable(let cells) = search.run(from: start) { return readings(cells) }
    }
    return nil
  }

  private func readings(_ cells: [Int?]) -> [Witness.Reading] {
    zip(space.variables, cells).compactMap { variable, cell in
      guard let cell else { return nil }
      switch variable.leaf {
      case .fact(let path):
        return Witness.Reading(path: path, value: space.value(variable.cells[cell], of: path))
      case .age(let path):
        return variable.cells[cell].isNaN
          ? nil : Witness.Reading(path: path, value: space.anyValue(of: path))
      default: return nil
      }
    }
  }

  /// Returns true when all conditions can still be true together, or when the search cannot decide.
  mutating func canHold() -> Bool {
    let all = formulas.map { Formula.certain($0) }
    let everything = [Bool](repeating: true, count: isFixed.count)
    var search = SatisfiabilitySearch(.and(all), isFixed: everything, counts: counts)
    return search.run() != .unsatisfiable
  }
}

extension CheckedExpression {
  /// Returns the condition for the time in which clients demand these devices. A rule that keeps a device off
  /// only while nothing demands it does no harm.
  ///
  /// The operand of a `for` is unchanged. When a client withdraws its demand and demands the device again,
  /// the `for` counts again, and the device is on meanwhile.
  func assumingDemands(on devices: Set<DeviceID>) -> CheckedExpression {
    switch kind {
    case .demanded(let device) where devices.contains(device):
      CheckedExpression(kind: .constant(.boolean(true)), type: type, span: span)
    case .heldFor: self
    default: map { $0.assumingDemands(on: devices) }
    }
  }
}
