import StintModel
import StintRuntime
import StintUnits

/// The intervals in which a journal lacks values of a sensor for a candidate policy.
struct UnknownIntervals {
  private(set) var intervals: [UnknownInterval] = []
  /// By device index: the interval that has not ended.
  private var open: [(reason: UnknownInterval.Reason, from: Instant)?]

  init(_ manifests: [Manifest]) { open = manifests.map { _ in nil } }

  /// Updates the intervals for the new settings of a device.
  mutating func update(for device: CandidateDevice, at instant: Instant) {
    let reason = Self.reason(device)
    guard reason != open[device.number]?.reason else { return }
    close(device.number, device.manifest.device, at: instant)
    if let reason { open[device.number] = (reason, instant) }
    names[device.number] = device.manifest.device
  }

  /// By device index: the name of the device.
  private var names: [Int: DeviceID] = [:]

  private mutating func close(_ number: Int, _ device: DeviceID, at instant: Instant) {
    if let was = open[number], was.from < instant {
      intervals.append(UnknownInterval(device: device, reason: was.reason, from: was.from, to: instant))
    }
    open[number] = nil
  }

  private static func reason(_ device: CandidateDevice) -> UnknownInterval.Reason? {
    guard device.manifest.kind == .sensor, device.setting.isOn else { return nil }
    guard device.recorded.isOn else { return .off }
    if let candidate = device.setting.period, let recorded = device.recorded.period, candidate < recorded {
      return .coarser
    }
    if let candidate = device.setting.accuracy, let recorded = device.recorded.accuracy,
      candidate < recorded
    {
      return .coarser
    }
    return nil
  }

  /// Ends all open intervals and sorts the result.
  mutating func finish(at instant: Instant) {
    for number in open.indices { if let name = names[number] { close(number, name, at: instant) } }
    intervals.sort { ($0.from, $0.device) < ($1.from, $1.device) }
  }
}
