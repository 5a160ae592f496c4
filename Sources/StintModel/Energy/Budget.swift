public import StintUnits

/// How much energy devices may draw in each period.
public struct Budget: Hashable, Sendable {
  /// What the periods are.
  public enum Period: String, Hashable, Sendable, CaseIterable {
    case hour, day
    /// From Monday on.
    case week
  }

  public var amount: Energy
  public var period: Period
  /// When a period begins, since local midnight (within the hour for hours).
  public var from: TimeSpan
  /// Sorted.
  public var devices: [DeviceID]

  /// Makes a budget; the amount is more than nothing.
  public init(amount: Energy, period: Period, from: TimeSpan, devices: [DeviceID]) {
    self.amount = amount
    self.period = period
    self.from = from
    self.devices = devices
  }
}
