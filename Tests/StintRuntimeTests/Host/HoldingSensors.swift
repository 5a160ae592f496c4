import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits

/// The held samples of a sensor that measures once per second while it is on.
private struct HeldSeconds {
  static let manifest = Manifest(
    device: "test.held", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false), PowerState(name: "on", power: .zero, isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases, fifo: 100,
    channels: [Channel(name: "value", unit: "")])

  private var since: Instant?
  private var until: Instant?
  private var sequence: UInt64 = 0

  mutating func apply(_ setting: Setting, at instant: Instant) {
    if setting.isOn {
      since = since ?? instant
      until = nil
    } else {
      until = until ?? instant
    }
  }

  /// Returns the held samples as a batch; nil when the sensor holds no samples.
  mutating func take(_ reason: DeliveryReason, at instant: Instant) -> Batch? {
    guard var next = since else { return nil }
    var samples: [Sample] = []
    let end = until ?? instant
    next = next + .seconds(1)
    while next <= end {
      sequence += 1
      samples.append(Sample(instant: next, sequence: sequence, 1))
      next = next + .seconds(1)
    }
    since = until == nil ? next - .seconds(1) : nil
    return samples.isEmpty ? nil : Batch(device: Self.manifest.device, samples: samples, reason: reason)
  }
}

/// A sensor in the host's own process that holds one sample per second and delivers them in `drain`.
actor LinkedHolder: SensorPlugin {
  nonisolated let manifest = HeldSeconds.manifest
  private var port: DevicePort?
  private var held = HeldSeconds()
  /// The number of settings that are applied before the plugin fails; nil for never.
  private var settingsLeft: Int?

  init(failsAfter settingsLeft: Int? = nil) { self.settingsLeft = settingsLeft }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}

  func apply(_ setting: Setting, at instant: Instant) throws(PluginError) {
    if settingsLeft == 0 {
      throw PluginError(.broken, device: manifest.device, cause: "the bus broke", nextStep: "")
    }
    settingsLeft = settingsLeft.map { $0 - 1 }
    held.apply(setting, at: instant)
  }

  func drain(at instant: Instant, reason: DeliveryReason) {
    if let batch = held.take(reason, at: instant) { port?.deliver(batch, at: instant) }
  }
}

/// A sensor that answers a drain later, like a process: when the test calls `answer` or closes the sensor.
actor ProcessHolder: SensorPlugin, SupervisedPlugin {
  nonisolated let manifest = HeldSeconds.manifest
  private nonisolated let asked = Locked<(reason: DeliveryReason, at: Instant)?>(nil)
  private nonisolated let lost = Locked(0)
  private var port: DevicePort?
  private var held = HeldSeconds()

  nonisolated var status: ChildStatus {
    var status = ChildStatus(state: .serving, process: nil, restarts: 0, lostSamples: 0)
    status.lostHeldSamples = lost.withLock { $0 }
    return status
  }
  nonisolated var isDraining: Bool { asked.withLock { $0 != nil } }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) { answer(at: instant) }
  func apply(_ setting: Setting, at instant: Instant) { held.apply(setting, at: instant) }
  func drain(at instant: Instant, reason: DeliveryReason) { asked.withLock { $0 = (reason, instant) } }

  func answer(at instant: Instant) {
    guard let (reason, drained) = asked.withLock({ $0 }) else { return }
    if let batch = held.take(reason, at: drained) { port?.deliver(batch, at: instant) }
    asked.withLock { $0 = nil }
    port?.setAlarm(at: instant)
  }

  /// Simulates the crash of a process that holds samples.
  func crash(at instant: Instant) {
    lost.withLock { $0 = held.take(.ended, at: instant)?.samples.count ?? 0 }
    asked.withLock { $0 = nil }
    port?.report(.state(0, period: nil), at: instant)
    port?.available(false, at: instant)
  }
}
