public import StintModel
public import StintUnits

/// A device that carries transfers.
public protocol RadioPlugin: DevicePlugin {
  /// Carries the transfers one after the other, in this order, behind those that are under way; says
  /// `DevicePort.carried(_:at:)` at the end of each.
  func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant)

  /// The transfer is not wanted any more, for now or for good: carries no more of it, and answers how many of its bytes
  /// are through; nil when it is not under way, or nothing is known.
  func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64?
}

extension RadioPlugin {
  public func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64? { nil }
}
