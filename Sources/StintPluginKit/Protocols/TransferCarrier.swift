public import StintModel
public import StintUnits

/// A plugin that moves the bytes of transfers. Its manifest provides the role `carrier`.
///
/// A radio describes the link and its cost; a carrier moves the bytes over the radio that the governor has
/// started. A device may be a radio and a carrier. If several carriers are available, a radio that is a
/// carrier gets the orders for its own transfers. The first available carrier by name gets all other orders.
public protocol TransferCarrier: DevicePlugin {
  /// Handles an order about an attempt. The carrier reports with `DevicePort.report(_:about:at:)`.
  ///
  /// For each attempt with a `start`, the carrier reports `finished` or `failed` once, unless `close` arrives
  /// before. When a second `start` of the same attempt names another radio, the carrier continues over that
  /// radio. An order about an unknown attempt is ignored, because orders and reports may cross.
  func handle(_ order: TransferOrder, at instant: Instant)
}
