import StintModel
import StintUnits
import Testing

@testable import StintPluginKit

/// A sensor that uses all parts of the protocol when it is on: a family of facts, and bytes.
private actor NewSensor: SensorPlugin {
  nonisolated let manifest: Manifest = NewSensor.described
  private var port: DevicePort?

  static let described: Manifest = {
    var manifest = Manifest(
      device: "test.sensor", kind: .sensor, title: "",
      states: [.init(name: "off", power: .zero, isOn: false), .init(name: "on", power: .zero, isOn: true)],
      transitions: [.init(from: 0, to: 1), .init(from: 1, to: 0)],
      channels: [Channel(name: "value", unit: ""), Channel(name: "payload", unit: "", bytes: 4)],
      facts: [
        FactSchema(path: "test.sensor.value", type: .quantity(.none), device: "test.sensor"),
        FactSchema(path: "test.sensor.tag.*", type: .quantity(.none), device: "test.sensor"),
      ])
    manifest.facts[1].keys = 4
    return manifest
  }()

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }

  func apply(_ setting: Setting, at instant: Instant) {
    port?.report(.state(setting.isOn ? 1 : 0, period: nil), at: instant)
    guard setting.isOn else { return }
    port?.publish("value", .number(1), at: instant)
    port?.publish("tag.a", .number(2), at: instant)
    let sample = Sample(instant: instant, sequence: 0, 1)
    let wide = WideValues(width: 0, samples: [sample], values: [], bytes: SampleBytes([[[1, 2]]]))
    port?.deliver(
      Batch(device: manifest.device, samples: [sample], reason: .immediate, wide: wide), at: instant)
    port?.publish("value", .number(3), at: instant)
  }

  func drain(at instant: Instant, reason: DeliveryReason) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
}

@Suite("Processes of plugins on older hosts")
struct OldHostTests {
  private let start = Instant(nanoseconds: 1_700_000_000_000_000_000)

  @Test(
    "a host gets only the frames that its version of the protocol has, without a gap in their numbers",
    arguments: [
      (5, ["fact", "fact", "applied"]), (7, ["fact", "keyed fact", "fact", "applied"]),
      (8, ["fact", "keyed fact", "byte batch", "fact", "applied"]),
      (9, ["fact", "keyed fact", "byte batch", "fact", "applied"]),
    ] as [(UInt16, [String])])
  func versions(minor: UInt16, names: [String]) throws {
    let served = ServedPlugin(NewSensor.described) { _ in NewSensor() }
    served.send(.hello(major: 1, minor: minor, now: start, steady: ProcessClock.steady))
    served.send(.open([], at: start))
    let opening = try served.receiveFrames(until: "opened")
    served.send(.apply(1, Setting(isOn: true), at: start))
    let frames = try served.receiveFrames(until: "applied")
    #expect(try frames.map { try PluginFrame($0).name } == names)
    served.send(.close(at: start))
    let closing = try served.receiveFrames(until: "closed")
    #expect((opening + frames + closing).enumerated().allSatisfy { $0.element.sequence == UInt64($0.offset) })
    #expect(served.end() == 0)
  }
}
