import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

/// A sensor that measures once per second while it is on. Tests can read whether it is on or closed.
actor TickingSensor: SensorPlugin {
  nonisolated let manifest: Manifest
  private var port: DevicePort?
  private var sequence: UInt64 = 0
  private var closing: CheckedContinuation<Void, Never>?
  private(set) var isOn = false
  private(set) var isClosed = false
  /// True for a sensor without samples, like a receiver without a view of the sky.
  private let isSilent: Bool

  init(_ device: DeviceID, isSilent: Bool = false) throws {
    manifest = try #require(try ReferencePhone.manifests().first { $0.device == device })
    self.isSilent = isSilent
  }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }

  func apply(_ setting: Setting, at instant: Instant) {
    isOn = setting.isOn
    port?.setAlarm(at: isOn && !isSilent ? instant + .seconds(1) : nil)
  }

  func wake(at instant: Instant, horizon: Instant) {
    guard isOn else { return }
    sequence += 1
    let sample = Sample(instant: instant, sequence: sequence, 47, 8, 4, 0)
    port?.deliver(Batch(device: manifest.device, samples: [sample], reason: .immediate), at: instant)
    port?.setAlarm(at: instant + .seconds(1))
  }

  func drain(at instant: Instant, reason: DeliveryReason) {}

  func close(at instant: Instant) {
    isOn = false
    isClosed = true
    closing?.resume()
    closing = nil
  }

  /// Reports that the device was removed or is back.
  func report(isAvailable: Bool, at instant: Instant) { port?.available(isAvailable, at: instant) }

  /// Waits until the device is closed.
  func closed() async {
    guard !isClosed else { return }
    await withCheckedContinuation { closing = $0 }
  }
}
