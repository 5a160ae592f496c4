import StintMachine
public import StintModel
public import StintUnits

/// A fact that a rule reads and for which no sensor works at present.
public struct InactiveReading: Hashable, Sendable {
  /// A reason why no sensor works for a fact.
  public enum Reason: Hashable, Sendable {
    /// The rule has an effect only while one of these devices has a demand. At present no device of the list
    /// has a demand.
    case noDemand([DeviceID])
    /// The facts with these indexes in the vocabulary determine the rule's result without this fact. The list
    /// is empty when only demands or the time determine the result.
    case decided(by: [Int])
    /// The rule tests facts of the sensor with `known` or `age`, so it uses only values that other demands
    /// provide.
    case observed
    /// As soon as the sensor works, the rule's tests with `known`, `age`, `on`, `powered`, `state` or
    /// `demanded` determine its result. Then no value of the fact has an effect.
    case decidedByReading
    /// The known position is accurate enough until the next probe begins at this instant. A new position or a
    /// change of the activity can move the instant.
    case nextProbe(Instant)
    /// No device found the position. The providers are tried again at this instant.
    case noPosition(retry: Instant)
    /// These rules stop or pause the sensor, or move its demands to a cheaper device, so that it publishes
    /// nothing.
    case keptOff([RuleID])
    /// No device can find the position: each of them is unavailable, or a rule keeps it off.
    case noProvider
  }

  /// The rule that reads the fact.
  public var rule: RuleID
  /// The index of the fact in the vocabulary.
  public var fact: Int
  /// The devices that do not work for the fact: its sensor, or the providers of positions for a zone.
  public var devices: [DeviceID]
  /// The reason why no sensor works for the fact.
  public var reason: Reason
}

extension Governor {
  /// Returns the facts of sensors and the zones that rules read, and for which no sensor works at present.
  /// The result is sorted by the order of the rules, then by the index of the fact.
  public func maskedReadings() -> [InactiveReading] {
    let input = sensingInput()
    var found: [(rule: Int, reading: InactiveReading)] = []
    for source in sensing.rules.sources {
      let device = vocabulary.manifests[source.device].device
      let waiting = rulesKeepingOff(source).map(InactiveReading.Reason.keptOff)
      for reader in source.readers { found += maskedReadings(of: reader, [device], input, waiting: waiting) }
    }
    if let places = sensing.rules.places {
      let waiting = waitForProbe(places, input)
      for reader in places.readers {
        let devices = places.providers.map(\.device).filter { !reader.barred.contains($0) }
          .map { vocabulary.manifests[$0].device }
        found += maskedReadings(of: reader, devices, input, waiting: waiting)
      }
    }
    var seen: Set<InactiveReading> = []
    return found.filter { seen.insert($0.reading).inserted }
      .sorted { ($0.rule, $0.reading.fact) < ($1.rule, $1.reading.fact) }
      .map(\.reading)
  }

  /// Returns the rules that stop or pause the demand that reads a source, without the rule that raised this
  /// demand. Returns nil when there are no such rules, or when no demand reads the source.
  private func rulesKeepingOff(_ source: SensorRules.Source) -> [RuleID]? {
    guard let slot = sensing.demand(for: source).flatMap({ demands.slot(of: $0) }) else { return nil }
    let grant = demands[slot].grant
    guard grant.status == .stopped || grant.status == .paused else { return nil }
    let rules = grant.rules.filter { $0 != demands[slot].raisedBy?.rule }
    return rules.isEmpty ? nil : rules
  }

  /// Returns the reason why no probe is in progress although a rule needs a zone. Returns nil during a probe,
  /// and when a probe begins at this instant.
  private func waitForProbe(_ places: SensorRules.Places, _ input: SensingInput) -> InactiveReading.Reason? {
    let next = sensing.nextTimer
    guard sensing.places.probe == nil, next > now else { return nil }
    // At the planned instant, no probe begins without a usable provider.
    guard next < .distantFuture, places.providers.contains(where: { input.isUsable[$0.device] }) else {
      return .noProvider
    }
    return sensing.places.keptUntil < next ? .noPosition(retry: next) : .nextProbe(next)
  }

  private func maskedReadings(
    of reader: SensorRules.Reader, _ devices: [DeviceID], _ input: SensingInput,
    waiting: InactiveReading.Reason?
  ) -> [(rule: Int, reading: InactiveReading)] {
    let image = reader.isPerDemand ? rules.program?.perDemandImage?.image : rules.program?.image.image
    guard let image else { return [] }
    let open = input.readings(reader, sensing.rules)
    let masked = input.maskedReadings(reader, sensing.rules)
    return reader.facts.compactMap { fact in
      let reason: InactiveReading.Reason
      if !input.canHaveEffect(reader, sensing.rules) {
        reason = .noDemand(reader.targets.map { vocabulary.manifests[$0].device })
      } else if reader.isPerDemand || open.contains(fact) {
        guard let waiting else { return nil }
        reason = waiting
      } else if let guards = masked[fact] {
        let isObserved = !guards.isEmpty && guards.allSatisfy(reader.observed.contains)
        reason = isObserved ? .observed : .decided(by: guards)
      } else {
        reason = input.assumptionsWhileRead(for: reader).isEmpty ? .decided(by: []) : .decidedByReading
      }
      let reading = InactiveReading(
        rule: sensing.rules.name(of: reader), fact: image.facts[fact].number, devices: devices,
        reason: reason)
      return (reader.rule, reading)
    }
  }
}

extension SensingInput {
  /// Returns the facts that a rule does not read now, each with the facts that determine the rule's result
  /// instead. The dictionary is empty for per-demand rules.
  fileprivate func maskedReadings(_ reader: SensorRules.Reader, _ rules: SensorRules) -> [Int: [Int]] {
    guard !reader.isPerDemand, let machine, let needs = rules.needs else { return [:] }
    return needs.maskedReadings(
      byRule: reader.rule, of: machine, facts, at: now, assuming: assumptions(for: reader),
      prices: rules.prices)
  }
}
