import StintModel
import StintUnits

/// Converts intervals of constant power into entries of the ledger.
///
/// Each device has one open interval. The caller closes this interval before the power of the device changes,
/// and before the cause of the power changes.
struct EnergyMeter: Sendable {
  /// The power of a device during an interval, and its cause.
  struct Load {
    var device: DeviceID
    var power: Power
    /// True when the device is in a state that is on. The power of other states is charged to the system.
    var isOn: Bool
    var cause: Cause?
    /// The parts that the demands of the cause pay.
    var division = EnergyDivision()
    /// The composition of the power.
    var basis = EnergyDivision.Basis.common
  }

  /// The open interval of a device, with values that accumulate over its closed intervals.
  struct Interval: Sendable {
    var since: Instant
    /// The energy of closed intervals that is not charged yet: less than one nanojoule, in nanowatts times
    /// nanoseconds.
    var remainder: Int64 = 0
    /// The total time for which the device has been on without a complete cause.
    var unexplained = TimeSpan.zero
    /// The cause of the last closed interval; nil for floor power.
    var cause: Cause?
    /// The energy of the closed intervals since the last change of `cause`.
    var paid = Energy.zero
  }

  private(set) var ledger = Ledger()
  private(set) var intervals: [Interval]
  /// The total time for which devices have been on without a complete cause. It must remain zero.
  private(set) var unexplained = TimeSpan.zero

  /// Opens an interval for each device.
  init(devices: Int, at now: Instant) {
    intervals = Array(repeating: Interval(since: now), count: devices)
  }

  /// Charges the open interval of a device and begins the next interval.
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
    let cause = load.isOn ? load.cause : nil
    if intervals[device].cause != cause {
      intervals[device].cause = cause
      intervals[device].paid = .zero
    }
    // A reload or a budget may close an interval without a change of the cause. The division among clients
    // does not depend on such a close.
    ledger.charge(
      energy, device: load.device, cause: cause, divided: load.division, over: load.basis,
      after: intervals[device].paid)
    intervals[device].paid += energy
  }

  /// Charges the open intervals of devices, and returns the total consumption of these devices.
  mutating func drawn(by devices: [Int], _ table: DeviceTable, at now: Instant) -> Energy {
    var sum = Energy.zero
    for device in devices {
      close(device, table[device].load, at: now)
      sum += ledger.byDevice[table[device].manifest.device] ?? .zero
    }
    return sum
  }

  /// Charges `count` events with a fixed energy. `division` has the parts that the demands of the cause pay.
  mutating func charge(
    _ event: PricedEvent, count: Int, of device: DeviceID, for cause: Cause?, divided division: EnergyDivision
  ) {
    ledger.charge(
      event.energy * Int64(count), device: device, cause: cause, divided: division, over: .samples)
  }

  /// Returns the energy of an open interval without charging it.
  func open(_ device: Int, _ power: Power, until instant: Instant) -> Energy {
    power.energy(over: instant - intervals[device].since, carrying: intervals[device].remainder).0
  }
}
