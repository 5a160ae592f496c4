public import StintModel
public import StintUnits

/// A device that transfers bytes over a network.
public protocol RadioPlugin: DevicePlugin {
  /// Queues the transfers after the transfers in progress, and performs all of them in order. Calls
  /// `DevicePort.carried(_:at:)` at the end of each transfer.
  func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant)

  /// Cancels a transfer, which may be started again later.
  ///
  /// - Returns: the number of transferred bytes; nil when the transfer is not in progress or the number
  ///   is unknown.
  func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64?
}

extension RadioPlugin {
  /// Returns nil: by default, the number of transferred bytes is unknown.
  public func cancelTransfer(_ demand: DemandID, at instant: Instant) -> Int64? { nil }
}
