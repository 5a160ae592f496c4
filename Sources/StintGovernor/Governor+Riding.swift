import StintModel
import StintUnits

extension Governor {
  /// How long the processor stays up once it was woken: what is handed over meanwhile needs no wake of its own.
  private static let wakeLength = TimeSpan.seconds(1)

  /// Has every sensor hand over now whose clients said how late samples may be at most: the processor is up for
  /// somebody else, and a wake of their own would come later.
  ///
  /// What a rule holds by `batch` does not ride: it ends at its bounds and not before.
  mutating func rideAlong(with cause: Cause?) {
    upAt = now
    for device in devices.indices where mayRide(device) {
      devices[device].ride = Ride(at: now, with: cause)
      effects.append(.drain(device: device, .rode))
      restartHolds(device)
    }
  }

  /// Whether samples that ride along find the processor up.
  var isUp: Bool { now < upAt + Self.wakeLength }

  private func mayRide(_ device: Int) -> Bool {
    let record = devices[device]
    guard record.manifest.kind == .sensor, record.setting.isOn, record.setting.isHolding,
      !record.setting.keepsNewest, !rousingDevices.contains(device)
    else { return false }
    guard !effects.contains(where: { if case .drain(device, _) = $0 { true } else { false } }) else {
      return false
    }
    return record.served.contains { id in
      guard let demand = demands[id], !demand.grant.holds.isEmpty else { return false }
      // There is a sample that waits, and only the client said for how long.
      return demand.holdStart + (record.setting.period ?? .zero) <= now
        && demand.grant.holds.allSatisfy { $0.rule == .asAsked }
    }
  }
}
