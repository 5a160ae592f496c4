import StintMachine
public import StintModel
public import StintUnits

/// Where a device stands and why: what `why` reads.
public struct DeviceStatus: Sendable {
  /// A demand on the device or served by it.
  public struct Holder: Sendable {
    public var demand: Demand
    public var grant: Grant
    public var raised: Instant
    /// The rule for which the governor raised it, because the rule reads what the device says; nil for other demands.
    public var reader: RuleID?
    /// Where its present hold began, and the metres travelled since; nil where nothing is held.
    public var holdStart: Instant?
    public var holdDistance: Double?
  }

  /// A directive that reaches the device.
  public struct Reach: Sendable {
    public var directive: Directive
    public var isInForce: Bool
    /// In force, but another rule that holds puts it aside here.
    public var isPutAside: Bool
    /// The one demand that it is asked for; nil when it is asked for all.
    public var demand: Demand?
    /// Demands for which a rule that only they are asked puts it aside.
    public var exceptions: [Demand] = []
  }

  public var manifest: Manifest
  public var state: PowerState?
  public var power: Power
  /// Since when it is in its state, or its cause has been the same.
  public var since: Instant
  public var setting: Setting
  public var cause: Cause?
  public var lingerUntil: Instant?
  /// The last hand-over for which the processor was up anyway; nil where there was none.
  public var lastPiggyback: PiggybackRecord?
  public var isAvailable: Bool
  /// The text of its last fault since the governor began, whether or not it works again; nil where there was none.
  public var lastFault: String?
  /// How many faults it had since the governor began.
  public var faults: Int
  /// Sorted by demand.
  public var holders: [Holder]
  /// In the order of the image.
  public var reaches: [Reach]
}

extension Governor {
  /// Where the device stands now; nil when the vocabulary has none of this name.
  public func status(of device: DeviceID) -> DeviceStatus? {
    guard let number = vocabulary.device(device) else { return nil }
    let record = devices[number]
    let slots = record.requested + record.served.filter { !record.requested.contains($0) }
    return DeviceStatus(
      manifest: record.manifest,
      state: record.manifest.states.indices.contains(record.state)
        ? record.manifest.states[record.state] : nil,
      power: record.power, since: energy.intervals[number].since, setting: record.setting,
      cause: record.cause,
      lingerUntil: record.lingerUntil, lastPiggyback: record.lastPiggyback, isAvailable: record.isAvailable,
      lastFault: record.lastFault, faults: record.faults,
      holders: slots.sorted().map { holder(demands[$0]) }, reaches: reaches(of: number))
  }

  private func holder(_ record: DemandRecord) -> DeviceStatus.Holder {
    let isHolding = !record.grant.holds.isEmpty && !record.isTransfer
    let here = record.provider.flatMap { devices.odometer(of: $0, facts) }
    return DeviceStatus.Holder(
      demand: record.demand, grant: record.grant, raised: record.raised,
      reader: sensing.isOwn(record.demand.id) ? record.raisedBy?.rule : nil,
      holdStart: isHolding ? record.holdStart : nil,
      holdDistance: isHolding ? here.flatMap { end in record.holdOdometer.map { end - $0 } } : nil)
  }

  private func reaches(of device: Int) -> [DeviceStatus.Reach] {
    guard let image = rules.image else { return [] }
    return rules.index.reaching[device].flatMap { number in
      let directive = image.directives[number].directive
      guard image.rules[image.directives[number].rule].isPerDemand else {
        return [common(directive, number, device)]
      }
      return devices[device].requested.map { slot in
        let isInForce = rules.isInForce(number, for: slot.id)
        return DeviceStatus.Reach(
          directive: directive, isInForce: isInForce,
          isPutAside: isInForce && rules.isOverridden(number, on: device, for: slot.id),
          demand: demands[slot].demand)
      }
    }
  }

  /// A directive that is asked once for all demands.
  private func common(_ directive: Directive, _ number: Int, _ device: Int) -> DeviceStatus.Reach {
    let isPutAside = rules.inForce[number] && rules.isOverridden(number, on: device, for: nil)
    var reach = DeviceStatus.Reach(
      directive: directive, isInForce: rules.inForce[number], isPutAside: isPutAside)
    if rules.inForce[number], !isPutAside, rules.perDemand.rules != nil {
      reach.exceptions = devices[device].requested.filter {
        rules.isOverridden(number, on: device, for: $0.id)
      }
      .map { demands[$0].demand }
    }
    return reach
  }
}
