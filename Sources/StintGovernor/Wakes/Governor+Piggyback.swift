import StintModel
import StintUnits

extension Governor {
  /// Drains every sensor that holds samples of a demand only because of the demand's `latency`. Called when
  /// the processor is awake for another cause, so that the sensor need not wake the processor later.
  ///
  /// A demand that a rule holds by `batch` causes no drain here: such a hold ends only at its bounds. Sensors
  /// that keep only their newest samples are not drained.
  mutating func piggyback(on cause: Cause?) {
    waking.isAwake(from: now)
    for device in devices.indices where mayPiggyback(device) {
      devices.piggyback(device, on: cause, at: now)
      effects.append(.drain(device: device, .piggybacked))
      restartHolds(device)
    }
  }

  private mutating func mayPiggyback(_ device: Int) -> Bool {
    guard devices[device].model.kind == .sensor, devices[device].setting.isOn,
      devices[device].setting.isHolding, !devices[device].setting.keepsNewest, !waking.isRequested(by: device)
    else { return false }
    guard !effects.contains(where: { if case .drain(device, _) = $0 { true } else { false } })
    else {
      return false
    }
    let period = devices[device].setting.period ?? .zero
    // At least one sample is waiting, and its only reason to wait is the latency of its demand.
    for slot in devices[device].served where demands[slot].holdStart + period <= now {
      let holds = demands[slot].grant.holds
      if !holds.isEmpty, holds.allSatisfy({ $0.rule == .asAsked }) { return true }
    }
    return false
  }
}
