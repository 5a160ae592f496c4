import StintModel
import StintUnits

extension SolverVariables {
  /// Returns the conjunction of the claims and the constraints, with all facts unchanged for `held`.
  mutating func formula(of claims: [Claim]) -> Formula {
    var parts: [Formula] = []
    for claim in claims { parts.append(formula(of: claim)) }
    relate()
    return .and(constraints + parts)
  }

  mutating func formula(of claim: Claim) -> Formula {
    let moment = Moment.after(held)
    let now =
      claim.condition.map { Formula.certain(formula($0, of: claim.policy, at: moment)) } ?? .constant(.yes)
    switch claim.mode {
    case .holds, .recurs: return now
    case .fails: return .not(now)
    case .rises(let span):
      if mode == .loose { return now }
      return .and([now, .or(rises(of: claim, within: span ?? .unlimited))])
    case .staysFalse(let span):
      if mode == .loose { return .constant(.yes) }
      return .and(rises(of: claim, within: span).map { .not($0) } + [.constant(.yes)])
    }
  }

  /// Returns one formula for each moment at which the condition may have become true within the span before
  /// now.
  private mutating func rises(of claim: Claim, within span: TimeSpan) -> [Formula] {
    guard let condition = claim.condition else { return [] }
    guard let points = condition.breakpoints(solverContext) else { return [.constant(.any)] }
    var found: [Formula] = []
    for (number, time) in points.enumerated() where time <= held && held - time < span.nanoseconds {
      let after = Formula.certain(formula(condition, of: claim.policy, at: .after(time)))
      if number == 0 && mode == .fresh {
        found.append(after)
        continue
      }
      let before = number == 0 ? Moment.earlier : .after(points[number - 1])
      found.append(.and([after, .not(.certain(formula(condition, of: claim.policy, at: before)))]))
    }
    return found
  }

  /// Returns the facts that the cells represent.
  func witness(_ cells: [Int?]) -> Witness {
    var witness = Witness(
      readings: [], held: TimeSpan(nanoseconds: held), isFresh: mode != .turned, silent: survey.aged.sorted())
    for (variable, cell) in zip(variables, cells) {
      guard let cell else { continue }
      let value = variable.cells[cell]
      switch variable.unknown {
      case .leaf(.fact(let path)): witness.readings += reading(path, value)
      case .earlier(.fact(let path)): witness.earlier += reading(path, value)
      case .leaf(.demanded(let device)):
        witness.demands.append(Witness.DemandAssumption(device: device, isDemanded: value == 1))
      case .earlier(.demanded(let device)):
        witness.earlierDemands.append(Witness.DemandAssumption(device: device, isDemanded: value == 1))
      case .week: witness.weekTime = TimeSpan(nanoseconds: weekCells[cell].now)
      case .leaf, .earlier, .outcome, .memory: continue
      }
    }
    return witness
  }

  /// Returns the reading of a fact; empty for a path that the vocabulary does not contain.
  private func reading(_ path: String, _ value: Double) -> [Witness.Reading] {
    guard let type = vocabulary.schema(path)?.type else { return [] }
    if value.isNaN { return [Witness.Reading(path: path, value: .unknown)] }
    let fact: FactValue =
      switch type {
      case .boolean: .boolean(value != 0)
      case .symbol: .symbol(Int(value))
      case .quantity: .number(value)
      }
    return [Witness.Reading(path: path, value: fact)]
  }
}
