import StintMachine
import StintModel
import StintUnits

/// How the governor has devices work for the rules that read their facts.
extension Governor {
  /// Raises and ends the demands of rules that read; true where one was.
  mutating func planSensing() -> Bool {
    let changes = sensing.plan(sensingMoment())
    for change in changes {
      switch change {
      case .end(let demand): release(demand)
      case .rename(let demand, let reader): note(reader, of: demand)
      case .begin(let place, let reader):
        let source = sensing.rules.sources[place]
        sensing.began(place, reader, raise(source, for: reader))
      case .probe(let reader):
        guard let places = sensing.rules.places else { continue }
        sensing.probeBegan(raise(places, for: reader, expires: now + SensingPlan.patience), at: now)
      }
    }
    return !changes.isEmpty
  }

  private mutating func raise(
    _ source: SensorRules.Source, for reader: SensorRules.Reader, expires: Instant? = nil
  ) -> DemandID {
    let rule = sensing.rules.name(of: reader)
    let target = vocabulary.manifests[source.device].device
    let id = start(target, for: ClientID(rule.policy), wants: source.wants, by: nil)
    let directive = Directive(
      rule: rule, action: .start(client: nil, wants: source.wants), targets: [target])
    demands.mark(id, raisedBy: directive, at: nil, expires: expires)
    return id
  }

  /// Books what a demand costs to another rule from now on.
  private mutating func note(_ reader: SensorRules.Reader, of id: DemandID) {
    sensing.renamed(id, reader)
    guard let slot = demands.slot(of: id), var directive = demands[slot].raisedBy,
      directive.rule != sensing.rules.name(of: reader)
    else { return }
    directive.rule = sensing.rules.name(of: reader)
    demands.mark(id, raisedBy: directive, at: nil)
    demands.keep(Arbiter.Limits(), of: slot)
    devices.mark(demands[slot].target, .grants)
  }

  private func sensingMoment() -> SensingInput {
    var assumptions = NeedAssumptions()
    var servesOthers = Array(repeating: false, count: devices.count)
    var isDemandedByOthers = servesOthers
    for device in devices.indices {
      servesOthers[device] = devices[device].served.contains { !sensing.isOwn($0.id) }
      isDemandedByOthers[device] = devices[device].requested.contains { !sensing.isOwn($0.id) }
      // What works for the rules alone counts as off, so that no rule keeps on what it looks through.
      guard !servesOthers[device], !devices[device].served.isEmpty else { continue }
      let model = devices[device].model
      if let fact = model.onFact { assumptions.values[fact] = 0 }
      if let fact = model.stateFact { assumptions.values[fact] = Double(model.manifest.initial) }
      if !isDemandedByOthers[device] { assumptions.undemanded.insert(model.manifest.device) }
    }
    return SensingInput(
      machine: rules.machine, facts: facts, now: now, servesOthers: servesOthers,
      isDemandedByOthers: isDemandedByOthers,
      isPositionServed: derived.positioning.contains { servesOthers[$0] }, lastFix: derived.lastFix,
      assumptions: assumptions)
  }
}
