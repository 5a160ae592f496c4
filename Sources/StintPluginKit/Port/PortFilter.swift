public import StintUnits

/// A filter that injects faults of devices in a simulation. It is between the ports of the devices and
/// the host.
///
/// Devices are identified by their index in the plugin set. The filtered events of each device stay in order
/// of time.
public protocol PortFilter: Sendable {
  /// The instant at which the filter injects its next event; the distant future when no event is left.
  var nextInstant: Instant { get }

  /// Returns the events that the host receives in place of these events of a device.
  mutating func pass(_ events: [PortEvent], of device: Int) -> [PortEvent]

  /// Returns the events that the filter injects for a device, up to and including an instant.
  mutating func release(_ device: Int, at instant: Instant) -> [PortEvent]

  /// Returns whether memory is low at an instant; nil when that has not changed since the last call.
  mutating func memoryIsLow(at instant: Instant) -> Bool?
}

extension PortFilter {
  /// Returns nil: by default a filter does not change the memory state.
  public mutating func memoryIsLow(at instant: Instant) -> Bool? { nil }
}
