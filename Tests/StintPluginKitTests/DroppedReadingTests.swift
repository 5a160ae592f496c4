import StintModel
import StintPluginKit
import StintUnits
import Testing

@Suite struct DroppedReadingTests {
  private static let manifest = Manifest(
    device: "test.probe", kind: .sensor, title: "Probe",
    states: [
      PowerState(name: "off", power: .zero, isOn: false), PowerState(name: "on", power: .zero, isOn: true),
    ],
    transitions: [(0, 1), (1, 0)].map { Transition(from: $0.0, to: $0.1) },
    channels: [Channel(name: "other", unit: "m"), Channel(name: "depth", unit: "km")],
    facts: [FactSchema(path: "test.probe.depth", type: .quantity(.length), range: 0...5000)])

  private let port = DevicePort(manifest: Self.manifest)

  private var events: [PortEvent] {
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    return events
  }

  @Test("a fact out of range is dropped and counted, and is no fault")
  func fact() {
    port.publish("depth", .number(6000), at: .epoch)
    port.publish("depth", .number(4000), at: .epoch)
    #expect(events == [.fact(0, .number(4000), at: .epoch)])
    #expect(port.droppedReadings.count == 1 && port.faults == 0)
    #expect(
      port.droppedReadings.lastReason == "test.probe.depth cannot be 6 km; its range is 0 m to 5 km")
  }

  @Test("samples outside the range of their channel's fact are dropped, even if no sample remains")
  func samples() {
    port.report(.state(1, period: nil), at: .epoch)
    let depths = [4.0, 6, .nan, 5, -1]
    let samples = depths.enumerated().map { number, depth in
      Sample(instant: .epoch + .seconds(Int64(number)), sequence: UInt64(number), 9000, depth)
    }
    let end = Instant.epoch + .seconds(5)
    port.deliver(Batch(device: "test.probe", samples: samples, reason: .immediate), at: end)
    let kept = events.compactMap {
      if case .batch(let batch, _) = $0 { batch.samples.map(\.second) } else { nil }
    }
    #expect(kept == [[4, 5]])
    #expect(port.droppedReadings.count == 3 && port.faults == 0)
    let last = Sample(instant: end, sequence: 5, 0, 7)
    port.deliver(Batch(device: "test.probe", samples: [last], reason: .immediate), at: end)
    // The host counts a batch without a valid sample.
    #expect(events == [.rejectedBatch(at: end)] && port.droppedReadings.count == 4)
  }

  @Test("a plugin with values out of range fails the conformance check")
  func conformance() async {
    let report = await PluginConformance.check(GlitchingProbe(manifest: Self.manifest), at: .epoch)
    let honest = report.verdicts.first { $0.check == .honest }
    #expect(honest?.failure?.contains("test.probe.depth cannot be 6 km") == true)
  }
}

/// A sensor whose reading is out of range.
private actor GlitchingProbe: SensorPlugin {
  nonisolated let manifest: Manifest
  private var port: DevicePort?

  init(manifest: Manifest) { self.manifest = manifest }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func apply(_ setting: Setting, at instant: Instant) {
    port?.report(.state(setting.isOn ? 1 : 0, period: nil), at: instant)
    if setting.isOn { port?.publish("depth", .number(6000), at: instant) }
  }
  func wake(at instant: Instant, horizon: Instant) {}
  func drain(at instant: Instant, reason: DeliveryReason) {}
  func close(at instant: Instant) { port?.report(.state(0, period: nil), at: instant) }
}
