import StintFormats
import StintModel
import StintPluginKit
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

/// A receiver of messages: each sample has the number of the message, and its content as bytes.
private actor MessageReceiver: SensorPlugin {
  nonisolated let manifest: Manifest
  private var port: DevicePort?
  private var sequence: UInt64 = 0

  init() throws {
    let text = """
      {"stint_manifest": 2, "device": "air.receiver", "kind": "sensor", "title": "receiver",
       "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
       "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
       "verbs": ["start", "stop"], "channels": [{"name": "number", "unit": "1"}, {"name": "payload", "bytes": 2}]}
      """
    manifest = try ManifestReader.manifest(of: Array(text.utf8), source: "receiver.json")
  }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }

  func apply(_ setting: Setting, at instant: Instant) {
    port?.report(.state(setting.isOn ? 1 : 0, period: nil), at: instant)
    port?.setAlarm(at: setting.isOn ? instant + .seconds(1) : nil)
  }

  func wake(at instant: Instant, horizon: Instant) {
    let sample = Sample(instant: instant, sequence: sequence, Double(sequence))
    let bytes = SampleBytes([[[UInt8(sequence), 255]]])
    sequence += 1
    let wide = WideValues(width: 0, samples: [sample], values: [], bytes: bytes)
    port?.deliver(
      Batch(device: manifest.device, samples: [sample], reason: .immediate, wide: wide), at: instant)
    port?.setAlarm(at: instant + .seconds(1))
  }

  func drain(at instant: Instant, reason: DeliveryReason) {}
  func close(at instant: Instant) {}
}

@Suite struct ByteReadingTests {
  @Test("an app gets the bytes of each sample; a device without such channels has no bytes")
  func app() async throws {
    let bus = try await Bus(
      plugins: .linked([try MessageReceiver(), try TickingSensor("location.gnss")]),
      clock: .virtual(from: .seconds(1_000_000)))
    let app = try await bus.attach("app", authorized: .always)
    async let _ = bus.flow()
    let payloads: [[UInt8]] = [[0, 255], [1, 255], [2, 255]]
    for (device, expected) in [("air.receiver", payloads), ("location.gnss", [])] {
      let readings = try await app.withDemand(.samples(of: device)) { batches -> [Reading] in
        var readings: [Reading] = []
        for try await batch in batches {
          readings += batch.samples
          if readings.count >= 3 { break }
        }
        return readings
      }
      #expect(readings.prefix(3).flatMap(\.bytes) == expected)
      if !expected.isEmpty {
        #expect(readings.prefix(3).map { $0.values } == [0, 1, 2].map { [$0, 0, 0, 0] })
      }
    }
    await bus.close()
  }
}
