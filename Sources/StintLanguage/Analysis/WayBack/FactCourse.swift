import StintModel
import StintUnits

/// The values that a fact takes while some devices are off.
enum FactCourse: Equatable {
  /// Something other than these devices can change the fact.
  case varies
  /// The fact keeps the value that it has when the devices turn off.
  case keeps
  /// After some time, the fact has one of these values and keeps it. NaN is unknown.
  case settles([Double])
  /// The fact rises from 0 to this number again and again.
  case rises(to: Double)
  /// The fact can be false or unknown, but not true.
  case neverTrue

  /// The fact becomes unknown and remains unknown.
  static let becomesUnknown = settles([.nan])

  /// True when the fact becomes unknown and remains unknown.
  var isUnknown: Bool {
    if case .settles(let values) = self { values.allSatisfy(\.isNaN) } else { false }
  }
}

extension OffDeviceFacts {
  /// Returns how a fact behaves while the devices are off. The switches over the kinds of computed facts
  /// have no default, so each new kind needs a statement here.
  func course(of path: String) -> FactCourse {
    if let fact = vocabulary.computedFact(path) { return course(of: fact) }
    guard let schema = vocabulary.schema(path), let device = schema.device, devices.contains(device),
      let manifest = vocabulary.manifest(device), manifest.kind != .source
    else { return .varies }
    switch path {
    case device.path + ".on": return .settles([0])
    case manifest.stateFact: return .settles([Double(manifest.safe)])
    case device.path + ".available": return .settles([1])
    // A radio publishes even when it is off, because it still listens at low power. A sensor that is off
    // publishes only the facts that its manifest marks as always published.
    default:
      guard manifest.isSensed(schema) else { return .varies }
      return schema.maxAge == nil ? .keeps : .becomesUnknown
    }
  }

  private func course(of fact: ComputedFact) -> FactCourse {
    switch fact.source {
    case .wakeups(let device): return devices.contains(device) ? .settles([0]) : .varies
    case .energy(let device): return floorUse(of: [device], per: .day, unit: 1)
    case .budget(let budget):
      return floorUse(of: budget.devices, per: budget.period, unit: budget.amount.joules)
    case .observed(let observation): return course(of: observation)
    case .zone(let zone, let query): return course(of: zone, query)
    // The request of a client does not change while its demand exists.
    case .client: return .keeps
    // The validity of a position grows while another sensor reports that the host is at rest.
    case .respite: return .varies
    // Other devices change this sum over all devices.
    case .unexplained: return .varies
    // Only tests of policies read these facts.
    case .rule, .grant: return .varies
    // A published fact is not a computed fact.
    case .keyed: return .varies
    // `states` contains the states of the machines that the analysis follows.
    case .machine: return .varies
    }
  }

  private func course(of observation: Observation) -> FactCourse {
    guard let device = observation.device, devices.contains(device) else { return .varies }
    switch observation {
    case .powered, .starts, .batchDone, .used: return .settles([0])
    case .spread: return .becomesUnknown
    // The sum since the start grows only while the device is on.
    case .unexplained: return .keeps
    // A client that appears or ends changes this fact, also while the device does not serve its demand.
    case .heard: return .varies
    // A device that is off can report a fault, and it can disappear.
    case .failed: return .varies
    // These observations have no device.
    case .hostWakeups, .watching, .energy, .signal: return .varies
    }
  }

  /// Returns how the energy that devices use in a period behaves, in multiples of `unit` joules.
  ///
  /// A device that is off uses only its floor power, and each period begins with 0.
  private func floorUse(
    of users: [DeviceID], per period: Budget.Period, unit: Double
  ) -> FactCourse {
    guard devices.isSuperset(of: users) else { return .varies }
    let floor = users.map { device in
      (vocabulary.manifest(device)?.states ?? []).filter { !$0.isOn }.map(\.power).max() ?? .zero
    }.reduce(Power.zero, +)
    if floor == .zero { return .settles([0]) }
    // At the end of summer time, a day and a week have one more hour.
    let hours: Int64 =
      switch period {
      case .hour: 1
      case .day: 25
      case .week: 7 * 24 + 1
      }
    return .rises(to: floor.watts * TimeSpan.hours(hours).seconds / unit)
  }

  /// Returns how a fact about a zone behaves.
  ///
  /// The function uses `Manifest.decides(_:)`, which compares accuracies with
  /// `Zone.accuracyToDecide(circleOf:)`. The governor uses the same limit. A coarse provider can show that
  /// the host is outside a circle, but never that it is inside.
  private func course(of zone: Zone, _ query: ZoneQuery) -> FactCourse {
    // While the scanner is off, the zone of a beacon keeps its value.
    if let beacon = zone.beaconFact {
      if !isFixed(beacon) { return .varies }
      return query == .inside || query == .heard ? .keeps : .neverTrue
    }
    let providers = vocabulary.manifests.filter { vocabulary.fact("\($0.device.path).latitude") != nil }
    guard !providers.isEmpty else { return .varies }
    let usable = providers.filter { !isFixed("\($0.device.path).latitude") }
    if usable.isEmpty { return .becomesUnknown }
    return query == .exit || usable.contains { $0.decides(zone) } ? .varies : .neverTrue
  }

}

extension Vocabulary {
  /// Returns the computed fact with this path; nil for a published fact and an unknown path.
  func computedFact(_ path: String) -> ComputedFact? {
    guard let number = fact(path), number >= firstComputed else { return nil }
    return computed[number - firstComputed]
  }

  /// Returns the device that publishes a fact, or the only device that a computed fact describes; nil for
  /// other facts.
  func device(ofFact path: String) -> DeviceID? {
    guard let fact = computedFact(path) else { return schema(path)?.device }
    return switch fact.source {
    case .wakeups(let device), .energy(let device), .respite(let device, _): device
    case .observed(let observation): observation.device
    case .zone(let zone, _): zone.beaconFact.flatMap { schema($0)?.device }
    case .unexplained, .budget, .rule, .machine, .client, .grant, .keyed: nil
    }
  }
}

extension ComputedFact {
  /// True when the fact can become unknown after it was known.
  var mayBecomeUnknown: Bool {
    switch source {
    case .zone, .respite, .observed(.spread): true
    default: false
    }
  }
}
