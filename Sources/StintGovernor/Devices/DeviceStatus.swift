import StintMachine
public import StintModel
public import StintUnits

/// The present status of a device and the reasons for it, as the command `why` shows them.
public struct DeviceStatus: Sendable {
  /// A demand that names the device or that the device serves.
  public struct DemandEntry: Sendable {
    /// The demand.
    public var demand: Demand
    /// The present grant of the demand.
    public var grant: Grant
    /// The instant at which the demand was raised.
    public var raised: Instant
    /// The rule for which the governor raised the demand, because the rule reads a fact of the device. Nil
    /// for other demands.
    public var reader: RuleID?
    /// The beginning of the present hold; nil without a hold.
    public var holdStart: Instant?
    /// The distance travelled since the beginning of the hold, in metres; nil without a hold or an odometer.
    public var holdDistance: Double?
  }

  /// A directive that names the device as a target.
  public struct DirectiveEntry: Sendable {
    /// The directive.
    public var directive: Directive
    /// True when the directive is in force.
    public var isInForce: Bool
    /// True when the directive is in force, but another rule overrides it on this device.
    public var isOverridden: Bool
    /// The demand for which the directive is evaluated; nil when it is evaluated for all demands together.
    public var demand: Demand?
    /// The demands for which a per-demand rule overrides the directive.
    public var exceptions: [Demand] = []
  }

  /// The manifest of the device.
  public var manifest: Manifest
  /// The power state that the device reported last; nil for a device without states.
  public var state: PowerState?
  /// The present power.
  public var power: Power
  /// The beginning of the open energy interval. An interval ends at each report of a state, at each change of
  /// the cause or the attributes, and when transfers start. It also ends when a budget or a daily energy is
  /// updated.
  public var energyIntervalStart: Instant
  /// The setting that the governor commanded last.
  public var setting: Setting
  /// The cause of the power; nil while the device is off, except for a radio, which keeps its last cause.
  public var cause: Cause?
  /// The end of the device's linger; nil when the device does not linger.
  public var lingerUntil: Instant?
  /// The last delivery that piggybacked on a wake-up for another cause; nil before the first such delivery.
  public var lastPiggyback: PiggybackRecord?
  /// True when the device is available.
  public var isAvailable: Bool
  /// The faults since the governor started, even if the device works again.
  public var faultHistory: FaultHistory
  /// The number of instants since the first policies began at which an event contradicted the assumptions of
  /// `check`.
  ///
  /// `stint check` computes a bound of wake-ups for constant clients and devices. Three kinds of events may
  /// each cause one wake-up above the bound. A client begins or ends a demand. The presence of a client or
  /// `app.state` is set. The device becomes available or unavailable.
  public var brokenAssumptions: Int
  /// The demands, sorted by id.
  public var demands: [DemandEntry]
  /// The directives, in the order of the image.
  public var directives: [DirectiveEntry]

  /// The text of the last fault since the governor started; nil without a fault.
  public var lastFault: String? { faultHistory.lastText }
  /// The number of faults since the governor started.
  public var faults: Int { faultHistory.count }
}

extension Governor {
  /// Returns the present status of a device; nil when the vocabulary does not contain it.
  public func status(of device: DeviceID) -> DeviceStatus? {
    guard let number = vocabulary.device(device) else { return nil }
    let record = devices[number]
    let slots = record.requested + record.served.filter { !record.requested.contains($0) }
    return DeviceStatus(
      manifest: record.manifest,
      state: record.manifest.states.indices.contains(record.state)
        ? record.manifest.states[record.state] : nil,
      power: record.power, energyIntervalStart: energy.intervals[number].since, setting: record.setting,
      cause: record.cause,
      lingerUntil: record.lingerUntil, lastPiggyback: record.lastPiggyback, isAvailable: record.isAvailable,
      faultHistory: record.faults,
      brokenAssumptions: record.brokenAssumptions,
      demands: slots.sorted().map { demandEntry(demands[$0]) }, directives: directives(of: number))
  }

  /// Returns the text of the fault that a device has at present. Returns nil when the device has delivered,
  /// or has reported its state, since its last fault.
  package func presentFault(of device: DeviceID) -> String? {
    guard let number = vocabulary.device(device), devices[number].hasFault else { return nil }
    return devices[number].faults.lastText
  }

  /// Returns the present fault of the device that serves the demand of a grant. Returns nil when no device
  /// serves the demand, or when the device has no fault.
  package func fault(behind grant: Grant) -> String? {
    guard grant.status == .served else { return nil }
    return grant.provider.flatMap { presentFault(of: $0) }
  }

  /// Returns the demands that a device serves, with their grants.
  package func demands(servedBy device: DeviceID) -> [(demand: Demand, grant: Grant)] {
    guard let number = vocabulary.device(device) else { return [] }
    return devices[number].served.map { (demands[$0].demand, demands[$0].grant) }
  }

  private func demandEntry(_ record: DemandRecord) -> DeviceStatus.DemandEntry {
    let isHolding = !record.grant.holds.isEmpty && !record.isTransfer
    let here = record.provider.flatMap { devices.odometer(of: $0, facts) }
    return DeviceStatus.DemandEntry(
      demand: record.demand, grant: record.grant, raised: record.raised,
      reader: sensing.isOwn(record.demand.id) ? record.raisedBy?.rule : nil,
      holdStart: isHolding ? record.holdStart : nil,
      holdDistance: isHolding ? here.flatMap { end in record.holdOdometer.map { end - $0 } } : nil)
  }

  private func directives(of device: Int) -> [DeviceStatus.DirectiveEntry] {
    guard let image = rules.image else { return [] }
    return rules.index.reaching[device].flatMap { number in
      let directive = image.directives[number].directive
      guard image.rules[image.directives[number].rule].isPerDemand else {
        return [common(directive, number, device)]
      }
      return devices[device].requested.map { slot in
        let isInForce = rules.isInForce(number, for: slot.id)
        return DeviceStatus.DirectiveEntry(
          directive: directive, isInForce: isInForce,
          isOverridden: isInForce && rules.isOverridden(number, on: device, for: slot.id),
          demand: demands[slot].demand)
      }
    }
  }

  /// Returns the status of a directive that is evaluated once for all demands.
  private func common(_ directive: Directive, _ number: Int, _ device: Int) -> DeviceStatus.DirectiveEntry {
    let isOverridden = rules.inForce[number] && rules.isOverridden(number, on: device, for: nil)
    var directiveEntry = DeviceStatus.DirectiveEntry(
      directive: directive, isInForce: rules.inForce[number], isOverridden: isOverridden)
    if rules.inForce[number], !isOverridden, rules.perDemand.rules != nil {
      directiveEntry.exceptions = devices[device].requested.filter {
        rules.isOverridden(number, on: device, for: $0.id)
      }
      .map { demands[$0].demand }
    }
    return directiveEntry
  }
}
