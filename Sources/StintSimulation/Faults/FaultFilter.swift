public import StintModel
public import StintPluginKit
public import StintUnits

/// A filter that applies the faults of a scenario to the events that its devices send to the host. It also
/// reports a full disk and low memory. It ignores dropouts, because devices apply dropouts themselves.
public struct FaultFilter: PortFilter {
  private var devices: [DeviceFaults]
  private var disk: PhoneFaults
  private var memory: PhoneFaults
  private let diskIsFull: @Sendable (Bool) -> Void
  /// The next instant at which the filter must act. At this instant it releases delayed events, or an outage
  /// of a device, a full disk or low memory begins or ends.
  public private(set) var nextInstant = Instant.distantFuture

  /// Makes a filter; nil when the scenario has only dropouts or no faults.
  ///
  /// - Parameters:
  ///   - faults: the faults of the scenario; their times are relative to `start`.
  ///   - manifests: the manifests of the plugins, in the order of the `PluginSet`.
  ///   - seed: determines all random values.
  ///   - diskIsFull: called with true when the disk becomes full, and with false when it has space again.
  public init?(
    _ faults: [InjectedFault], manifests: [Manifest], start: Instant, seed: UInt64,
    diskIsFull: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    guard faults.contains(where: { $0.kind != .dropout }) else { return nil }
    devices = manifests.map { DeviceFaults(faults, manifest: $0, start: start, seed: seed) }
    disk = PhoneFaults(faults, .disk, start: start)
    memory = PhoneFaults(faults, .memory, start: start)
    self.diskIsFull = diskIsFull
    plan()
  }

  public mutating func memoryIsLow(at instant: Instant) -> Bool? {
    if let isFull = disk.change(at: instant) { diskIsFull(isFull) }
    defer { plan() }
    return memory.change(at: instant)
  }

  public mutating func pass(_ events: [PortEvent], of device: Int) -> [PortEvent] {
    guard !devices[device].isSound else { return events }
    var output: [PortEvent] = []
    for event in events { devices[device].pass(event, into: &output) }
    plan()
    return output
  }

  public mutating func release(_ device: Int, at instant: Instant) -> [PortEvent] {
    guard devices[device].nextInstant <= instant else { return [] }
    var output: [PortEvent] = []
    devices[device].release(at: instant, into: &output)
    plan()
    return output
  }

  private mutating func plan() {
    nextInstant = min(
      devices.lazy.map(\.nextInstant).min() ?? .distantFuture, disk.nextInstant, memory.nextInstant)
  }
}
