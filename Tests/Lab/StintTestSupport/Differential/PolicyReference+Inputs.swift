import StintModel

extension PolicyReference {
  /// Records a published fact. A fix that is accurate enough ends each demand that asked for a single fix.
  mutating func publish(_ fact: PlanWorld.Fact, _ value: FactValue) {
    published[fact.rawValue].append((page.time, value))
    guard fact == .accuracy, case .number(let metres) = value else { return }
    let served = demands.filter { $0.target == .fast && $0.grant.status == .served }
    if metres <= served.compactMap(\.grant.accuracy).min() ?? .infinity {
      successes[PlanWorld.Device.fast.rawValue].append(nodes.times.count)
    }
    for demand in served where demand.expires != nil && metres <= demand.wants.accuracy ?? .infinity {
      release(demand.id)
    }
  }
}
