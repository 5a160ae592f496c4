import StintModel
import StintPluginKit
import StintUnits

/// A sensor whose range is 0 m to 5 m, and that reports numbers outside this range when it is turned on.
actor OverflowingProbe: SensorPlugin {
  static let ranged = Manifest(
    device: "test.probe", kind: .sensor, title: "Probe",
    states: [
      PowerState(name: "off", power: .zero, isOn: false), PowerState(name: "on", power: .zero, isOn: true),
    ],
    transitions: [(0, 1), (1, 0)].map { Transition(from: $0.0, to: $0.1) },
    channels: [Channel(name: "depth", unit: "m")],
    facts: [FactSchema(path: "test.probe.depth", type: .quantity(.length), range: 0...5)])

  nonisolated let manifest = OverflowingProbe.ranged
  private var port: DevicePort?

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }

  func apply(_ setting: Setting, at instant: Instant) {
    port?.report(.state(setting.isOn ? 1 : 0, period: nil), at: instant)
    guard setting.isOn else { return }
    port?.publish("depth", .number(6), at: instant)
    for (number, depths) in [[-1.0, 4, 7], [.nan]].enumerated() {
      let samples = depths.enumerated().map { index, depth in
        Sample(instant: instant, sequence: UInt64(3 * number + index), depth)
      }
      port?.deliver(Batch(device: "test.probe", samples: samples, reason: .immediate), at: instant)
    }
  }

  func wake(at instant: Instant, horizon: Instant) {}
  func drain(at instant: Instant, reason: DeliveryReason) {}
  func close(at instant: Instant) { port?.report(.state(0, period: nil), at: instant) }
}
