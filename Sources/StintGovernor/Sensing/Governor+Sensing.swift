import StintMachine
public import StintModel
public import StintUnits

/// Switches sensors on for the rules that read their facts.
extension Governor {
  /// Raises and ends the demands of rules that read facts. Returns true when a demand changed.
  mutating func planSensing() -> Bool {
    let waits = sensing.awaited
    let changes = sensing.plan(sensingInput())
    for change in changes {
      switch change {
      case .end(let demand): release(demand)
      case .rename(let demand, let reader): charge(demand, to: reader)
      case .begin(let index, let reader, let period):
        let source = sensing.rules.sources[index]
        var wants = source.wants
        wants.period = period
        sensing.began(index, reader, raise(on: source.device, wants, for: reader), every: period)
      case .probe(let index, let reader):
        guard let provider = sensing.rules.places?.providers[index] else { continue }
        let demand = raise(
          on: provider.device, provider.wants, for: reader, expires: now + PositionProbePlan.timeout)
        sensing.probeBegan(demand, provider: index, at: now)
      }
    }
    derived.keepPlaces(until: sensing.places.keptUntil)
    guard waits != sensing.awaited else { return !changes.isEmpty }
    let directives = Set(waits.keys).symmetricDifference(sensing.awaited.keys)
    for radio in sensing.rules.delayed(by: directives) { devices.mark(radio, .grants) }
    return true
  }

  private mutating func raise(
    on device: Int, _ wants: DemandSettings, for reader: SensorRules.Reader, expires: Instant? = nil
  ) -> DemandID {
    let rule = sensing.rules.name(of: reader)
    let target = vocabulary.manifests[device].device
    let id = start(target, for: ClientID(rule.policy), wants: wants, by: nil)
    let directive = Directive(rule: rule, action: .start(client: nil, wants: wants), targets: [target])
    demands.mark(id, raisedBy: directive, at: nil, expires: expires)
    return id
  }

  /// Charges a demand to another rule from now on.
  private mutating func charge(_ id: DemandID, to reader: SensorRules.Reader) {
    sensing.renamed(id, reader)
    guard let slot = demands.slot(of: id), var directive = demands[slot].raisedBy,
      directive.rule != sensing.rules.name(of: reader)
    else { return }
    directive.rule = sensing.rules.name(of: reader)
    demands.mark(id, raisedBy: directive, at: nil)
    demands.keep(Arbiter.Limits(), of: slot)
    devices.mark(demands[slot].target, .grants)
  }

  func sensingInput() -> SensingInput {
    // In builds without optimisation, a closure that uses a member of the governor copies the whole governor.
    let (sensing, devices, rules) = (sensing, devices, rules)
    var assumptions = NeedAssumptions()
    var isDemandedByOthers = Array(repeating: false, count: devices.count)
    for device in devices.indices {
      isDemandedByOthers[device] = devices[device].requested.contains { !sensing.isOwn($0.id) }
      // A sensor that works only for rules counts as off. A rule that tests whether this sensor is on
      // therefore cannot keep the sensor on by its own reading.
      let served = devices[device].served
      guard !served.isEmpty, served.allSatisfy({ sensing.isOwn($0.id) }) else { continue }
      let model = devices[device].model
      if let fact = model.onFact { assumptions.values[fact] = 0 }
      if let fact = sensing.rules.poweredFacts[device] { assumptions.values[fact] = 0 }
      if let fact = model.stateFact { assumptions.values[fact] = Double(model.manifest.initial) }
      if !isDemandedByOthers[device] { assumptions.undemanded.insert(model.manifest.device) }
    }
    let isUsable = devices.indices.map { devices[$0].isAvailable && !rules.keepsOff($0) }
    return SensingInput(
      machine: rules.machine, facts: facts, now: now, isDemandedByOthers: isDemandedByOthers,
      isUsable: isUsable, position: derived.position, assumptions: assumptions)
  }

  /// Returns the present readings of a device: each rule that needs one of its facts, with the period.
  public func readings(of device: Int) -> [ActiveReader] {
    let input = sensingInput()
    var readings: [ActiveReader] = []
    for source in sensing.rules.sources where source.device == device {
      for reader in source.readers where input.needs(reader, sensing.rules) {
        readings.append(
          ActiveReader(rule: sensing.rules.name(of: reader), period: sensing.period(of: source)))
      }
    }
    return readings
  }
}

/// A rule for which a sensor works now, because the rule reads one of its facts.
public struct ActiveReader: Hashable, Sendable {
  /// The rule that reads the fact.
  public var rule: RuleID
  /// The period of the samples; nil for the default period of the sensor's manifest.
  public var period: TimeSpan?
}
