public import StintModel
public import StintPluginHost
public import StintPluginKit
public import StintUnits

/// Generates the samples that a sensor holds until it delivers them: one sample per second while the sensor
/// is on.
public struct HeldSampleBuffer {
  public static let manifest = Manifest(
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

  /// Returns the held samples as a batch; nil when no samples are held.
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

/// A sensor in the host's own process that holds samples, one per second, and delivers them in `drain`.
public actor InProcessHoldingSensor: SensorPlugin {
  public nonisolated let manifest = HeldSampleBuffer.manifest
  private var port: DevicePort?
  private var held = HeldSampleBuffer()
  /// The number of settings that the plugin still accepts before it fails; nil for no limit.
  private var settingsLeft: Int?

  public init(failsAfter count: Int? = nil) { settingsLeft = count }

  public func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  public func wake(at instant: Instant, horizon: Instant) {}
  public func close(at instant: Instant) {}

  public func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    if settingsLeft == 0 {
      throw Problem(.broken, device: manifest.device, cause: "the bus broke", remedy: "")
    }
    settingsLeft = settingsLeft.map { $0 - 1 }
    held.apply(setting, at: instant)
  }

  public func drain(at instant: Instant, reason: DeliveryReason) {
    if let batch = held.take(reason, at: instant) { port?.deliver(batch, at: instant) }
  }
}

/// A sensor that delivers its samples some time after `drain`, like a plugin in a separate process. It
/// delivers them when the test calls `answer`, or when the sensor is closed.
public actor OutOfProcessHoldingSensor: SensorPlugin, SupervisedPlugin {
  public nonisolated let manifest = HeldSampleBuffer.manifest
  public init() {}

  private nonisolated let pendingDrain = Locked<(reason: DeliveryReason, at: Instant)?>(nil)
  private nonisolated let lost = Locked(0)
  private var port: DevicePort?
  private var held = HeldSampleBuffer()

  package nonisolated var status: ChildStatus {
    var status = ChildStatus(state: .serving, process: nil, restarts: 0, lostSamples: 0)
    status.lostHeldSamples = lost.withLock { $0 }
    return status
  }
  public nonisolated var isDraining: Bool { pendingDrain.withLock { $0 != nil } }

  public func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  public func wake(at instant: Instant, horizon: Instant) {}
  public func close(at instant: Instant) { answer(at: instant) }
  public func apply(_ setting: Setting, at instant: Instant) { held.apply(setting, at: instant) }
  public func drain(at instant: Instant, reason: DeliveryReason) {
    pendingDrain.withLock { $0 = (reason, instant) }
  }

  public func answer(at instant: Instant) {
    guard let (reason, drained) = pendingDrain.withLock({ $0 }) else { return }
    if let batch = held.take(reason, at: drained) { port?.deliver(batch, at: instant) }
    pendingDrain.withLock { $0 = nil }
    port?.setAlarm(at: instant)
  }

  /// Simulates the crash of a process that holds samples: the samples are lost and the device is no
  /// longer available.
  public func crash(at instant: Instant) {
    lost.withLock { $0 = held.take(.ended, at: instant)?.samples.count ?? 0 }
    pendingDrain.withLock { $0 = nil }
    port?.report(.state(0, period: nil), at: instant)
    port?.available(false, at: instant)
  }
}
