import StintModel
import StintPluginKit
import StintUnits

/// A plugin that records its calls and throws on request.
actor StubPlugin: SensorPlugin {
  enum Failure {
    case never, open, apply
  }

  nonisolated let manifest: Manifest
  private let recorder: Recorder
  private let failure: Failure

  init(_ device: DeviceID, _ recorder: Recorder, failure: Failure = .never, states: [PowerState]? = nil) {
    self.manifest = Manifest(
      device: device, kind: .sensor, title: "Stub",
      states: states ?? [PowerState(name: "off", power: .zero, isOn: false)])
    self.recorder = recorder
    self.failure = failure
  }

  func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    recorder.note("open \(manifest.device)")
    if failure == .open { throw Problem(.absent, device: manifest.device, cause: "nothing answers") }
    port.available(true, at: instant)
  }

  func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    recorder.note("apply \(manifest.device)")
    if failure == .apply { throw Problem(.broken, device: manifest.device, cause: "too hot") }
  }

  func drain(at instant: Instant, reason: DeliveryReason) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) { recorder.note("close \(manifest.device)") }
}
