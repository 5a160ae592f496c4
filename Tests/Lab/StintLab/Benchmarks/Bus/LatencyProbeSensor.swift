import StintModel
import StintPluginKit
import StintUnits

/// A sensor that records when it receives a setting.
actor LatencyProbeSensor: SensorPlugin {
  static let device = DeviceID("motion.accelerometer")

  nonisolated let manifest = Manifest(
    device: device, kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
    attributes: [
      AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.1...100, fallback: .number(50))
    ])
  private let mark: PublishMark
  private var port: DevicePort?

  init(_ mark: PublishMark) { self.mark = mark }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }

  func apply(_ setting: Setting, at instant: Instant) {
    mark.recordCall()
    port?.report(.state(setting.isOn ? 1 : 0, period: setting.period), at: instant)
  }

  func drain(at instant: Instant, reason: DeliveryReason) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
}
