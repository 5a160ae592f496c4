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
      effects.append(.drain(device: device, .rode))
      restartHolds(device)
    }
  }

  private func mayPiggyback(_ device: Int) -> Bool {
    let record = devices[device]
    guard record.manifest.kind == .sensor, record.setting.isOn, record.setting.isHolding,
      !record.setting.keepsNewest, !waking.isRequested(by: device)
    else { return false }
    guard !effects.contains(where: { if case .drain(device, _) = $0 { true } else { false } })
    else {
      return false
    }
    return record.served.contains { id in
      guard let demand = demands[id], !demand.grant.holds.isEmpty else { return false }
      // A sample waits, and only its client's latency bounds the wait.
      return demand.holdStart + (record.setting.period ?? .zero) <= now
        && demand.grant.holds.allSatisfy { $0.rule == .asAsked }
    }
  }
}
