import StintModel
import StintUnits

/// Determines when a demand takes its next sample, for demands that receive only some of the samples of
/// their device.
///
/// A device samples at the highest rate that one of its demands needs, for example the rate of a rule's
/// reading. A slower demand without a hold receives each of its own samples at once. Between these samples
/// the demand rests: the device may hold its samples, and no delivery wakes the processor for this demand.
/// So a slow demand does not pay for the rate of a faster demand that accepts a delay.
extension Governor {
  /// A demand rests only if its period is at least this many sampling periods of the device. With a smaller
  /// number, the setting of the device would change at almost every sample.
  private static let leastRatio: Int64 = 4

  /// Returns the instant at which a demand stops resting: one sampling period of the device before the next
  /// sample of the demand. Nil for a demand that does not rest.
  ///
  /// - Parameter period: the time between two samples of the device.
  func restEnd(of slot: DemandSlot, sampledEvery period: TimeSpan?) -> Instant? {
    guard let period, period > .zero, let own = demands[slot].grant.period,
      own >= period.times(Self.leastRatio, capped: .unlimited), let next = nextSample(of: slot),
      now < next - period
    else { return nil }
    return next - period
  }

  /// Returns whether the present samples of a device are not for this demand, because its next sample is not
  /// due.
  ///
  /// Half a sampling period is tolerated, because the periods of real devices vary.
  func awaitsLaterSample(_ slot: DemandSlot, of device: Int) -> Bool {
    guard let period = devices[device].setting.period, let own = demands[slot].grant.period, period < own,
      let next = nextSample(of: slot)
    else { return false }
    return now < next - TimeSpan(nanoseconds: period.nanoseconds / 2)
  }

  /// Returns the instant from which a demand takes its next sample. Nil when the demand takes the next
  /// sample of its device, and for a demand with a hold or for a single fix.
  private func nextSample(of slot: DemandSlot) -> Instant? {
    guard demands[slot].grant.holds.isEmpty, !demands[slot].isOneShot else { return nil }
    return demands[slot].nextSample
  }

  /// Records that a device delivers a new sample at once, to all demands that take the sample.
  mutating func noteSample(of device: Int) {
    for slot in devices[device].served {
      guard let period = demands[slot].grant.period, demands[slot].grant.holds.isEmpty,
        !awaitsLaterSample(slot, of: device)
      else { continue }
      demands.noteSample(of: slot, at: now, every: period)
      if restEnd(of: slot, sampledEvery: devices[device].setting.period) != nil {
        devices.mark(device, .setting)
      }
    }
  }

  /// Returns whether a holding device serves a demand that must receive the next sample at once.
  func holdsTooLong(_ device: Int) -> Bool {
    let setting = devices[device].setting
    guard setting.isOn, setting.isHolding, devices[device].model.kind == .sensor else { return false }
    return devices[device].served.contains { slot in
      demands[slot].grant.holds.isEmpty && restEnd(of: slot, sampledEvery: setting.period) == nil
    }
  }
}
