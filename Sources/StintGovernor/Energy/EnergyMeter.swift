import StintModel
import StintUnits

/// The energy meter turns intervals of constant power into entries of the ledger.
///
/// Each device has one open interval. Its caller closes it before anything changes what the device draws, or for whom.
struct EnergyMeter: Sendable {
  /// What a device draws during an interval, and for whom.
  struct Load {
    var device: DeviceID
    var power: Power
    /// Whether the power is more than the floor of the device; else the system pays.
    var isOn: Bool
    var cause: Cause?
  }

  /// The open interval of a device.
  struct Interval: Sendable {
    var since: Instant
    /// Energy of closed intervals below a nanojoule, in nanowatts times nanoseconds.
    var remainder: Int64 = 0
    /// How long the device has been on without a complete cause, in all.
    var unexplained = TimeSpan.zero
  }

  private(set) var ledger = Ledger()
  private(set) var intervals: [Interval]
  /// How long all devices have been on without a complete cause; stays zero.
  private(set) var unexplained = TimeSpan.zero

  /// Opens an interval for each device.
  init(devices: Int, at now: Instant) {
    intervals = Array(repeating: Interval(since: now), count: devices)
  }

  /// Books the open interval of a device and begins the next one.
  mutating func close(_ device: Int, _ load: Load, at now: Instant) {
    let span = now - intervals[device].since
    guard span.nanoseconds > 0 else { return }
    let (energy, remainder) = load.power.energy(over: span, carrying: intervals[device].remainder)
    intervals[device].since = now
    intervals[device].remainder = remainder
    if load.isOn, load.cause?.isComplete != true {
      unexplained += span
      intervals[device].unexplained += span
    }
    ledger.charge(energy, device: load.device, cause: load.isOn ? load.cause : nil)
  }

  /// Books the open intervals of devices, and returns what they have drawn in all.
  mutating func drawn(by devices: [Int], _ table: DeviceTable, at now: Instant) -> Energy {
    var sum = Energy.zero
    for device in devices {
      close(device, table[device].load, at: now)
      sum += ledger.byDevice[table[device].manifest.device] ?? .zero
    }
    return sum
  }

  /// Books something that a device did at a fixed price, a number of times.
  mutating func charge(_ event: PricedEvent, count: Int, of device: DeviceID, for cause: Cause?) {
    ledger.charge(event.energy * Int64(count), device: device, cause: cause)
  }

  /// The energy of an interval that is still open, without booking it.
  func open(_ device: Int, _ power: Power, until instant: Instant) -> Energy {
    power.energy(over: instant - intervals[device].since, carrying: intervals[device].remainder).0
  }
}
