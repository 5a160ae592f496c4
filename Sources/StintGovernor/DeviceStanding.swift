import StintMachine
public import StintModel
public import StintUnits

/// Where a device stands and why: what `why` is told.
public struct DeviceStanding: Sendable {
  /// A demand on the device or served by it.
  public struct Holder: Sendable {
    public var demand: Demand
    public var grant: Grant
    public var raised: Instant
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
  }

  public var manifest: Manifest
  public var state: PowerState?
  public var power: Power
  /// Since when it is in its state, or its cause has been the same.
  public var since: Instant
  public var setting: Setting
  public var cause: Cause?
  public var lingerUntil: Instant?
  public var isAvailable: Bool
  /// Sorted by demand.
  public var holders: [Holder]
  /// In the order of the image.
  public var reaches: [Reach]
}

extension Governor {
  /// Where the device stands now; nil when the vocabulary has none of this name.
  public func standing(of device: DeviceID) -> DeviceStanding? {
    guard let number = vocabulary.device(device) else { return nil }
    let record = devices[number]
    let ids = Set(record.asked + record.served).sorted()
    return DeviceStanding(
      manifest: record.manifest,
      state: record.manifest.states.indices.contains(record.state)
        ? record.manifest.states[record.state] : nil,
      power: record.power, since: record.since, setting: record.setting, cause: record.cause,
      lingerUntil: record.lingerUntil, isAvailable: record.isAvailable,
      holders: ids.compactMap { demands[$0].map { holder($0) } }, reaches: reaches(of: number))
  }

  private func holder(_ record: DemandRecord) -> DeviceStanding.Holder {
    let isHolding = !record.grant.holds.isEmpty && !record.isTransfer
    let here = record.provider.flatMap { odometer(of: $0) }
    return DeviceStanding.Holder(
      demand: record.demand, grant: record.grant, raised: record.raised,
      holdStart: isHolding ? record.holdStart : nil,
      holdDistance: isHolding ? here.flatMap { end in record.holdOdometer.map { end - $0 } } : nil)
  }

  private func reaches(of device: Int) -> [DeviceStanding.Reach] {
    guard let image = program?.image.image else { return [] }
    return reaching[device].map { number in
      DeviceStanding.Reach(
        directive: image.directives[number].directive, isInForce: inForce[number],
        isPutAside: inForce[number] && isPutAside(number, on: device))
    }
  }
}
