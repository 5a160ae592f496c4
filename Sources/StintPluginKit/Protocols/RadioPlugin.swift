public import StintUnits

/// A device that carries transfers.
public protocol RadioPlugin: DevicePlugin {
  /// Carries the transfers one after the other, in this order, behind those that are under way; says
  /// `DevicePort.carried(_:at:)` at the end of each.
  func carry(_ transfers: [CarriedTransfer], at instant: Instant)
}
