import StintModel
import StintUnits

/// The demand by which a paused or suspended location stream detects movement with a sensor of low power.
struct MotionWatch: Sendable {
  private var demand: DemandID?
  private var sensor: DeviceID?
  /// Whether the last report of movement was `still`.
  private var wasStill = false

  /// True while a sensor detects movement.
  var isOn: Bool { demand != nil }

  /// Begins to detect movement, if a sensor can.
  mutating func begin(background: Bool, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    wasStill = false
    guard demand == nil, let sensor = context.device(for: .activity) else { return }
    self.sensor = sensor
    demand = outbox.raise(
      sensor,
      DemandSettings(
        period: LocationDefaults.motionPeriod, latency: LocationDefaults.motionLatency,
        background: background))
  }

  /// Stops detecting movement.
  mutating func stop(_ outbox: inout ServiceOutbox) {
    if let demand { outbox.release(demand) }
    demand = nil
  }

  mutating func end(_ ended: DemandID) { if ended == demand { demand = nil } }

  /// Records a report of movement. Returns true when movement begins after a standstill.
  mutating func note(isMoving: Bool) -> Bool {
    defer { wasStill = !isMoving }
    return isMoving && wasStill
  }

  /// Returns true for the demand of the watch.
  func owns(_ id: DemandID) -> Bool { id == demand }

  /// Returns true for the sensor that the watch uses or used last.
  func uses(_ device: DeviceID) -> Bool { device == sensor }
}
