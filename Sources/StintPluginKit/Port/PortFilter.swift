public import StintUnits

/// What stands between devices and their host and changes what is heard: faults of a simulation.
///
/// Devices by their number among the plugins of the set. What comes out keeps the order of time of each device.
public protocol PortFilter: Sendable {
  /// When it has something to say by itself; the distant future when never.
  var nextInstant: Instant { get }

  /// What is heard of what a device said.
  mutating func pass(_ events: [PortEvent], of device: Int) -> [PortEvent]

  /// What it says of a device by itself, up to and including an instant.
  mutating func release(_ device: Int, at instant: Instant) -> [PortEvent]

  /// Whether memory is short from an instant on, where that has changed up to and including it; else nil.
  mutating func memoryIsLow(at instant: Instant) -> Bool?
}

extension PortFilter {
  public mutating func memoryIsLow(at instant: Instant) -> Bool? { nil }
}
