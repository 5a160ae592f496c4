import StintModel
import StintUnits

extension Governor {
  /// Drains every sensor whose samples only their clients' `latency` holds: the processor is awake for another reason, and
  /// the sensor's own wake-up would come later.
  ///
  /// What a rule holds by `batch` does not piggyback: it ends at its bounds and not before.
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
    // A sample waits, and only its client's latency bounds the wait.
    for slot in devices[device].served where demands[slot].holdStart + period <= now {
      let holds = demands[slot].grant.holds
      if !holds.isEmpty, holds.allSatisfy({ $0.rule == .asAsked }) { return true }
    }
    return false
  }
}
