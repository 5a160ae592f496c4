import StintFormats
import StintModel
import StintPluginKit
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

/// Tests simulated devices with more than four channels, with channels of words, and with any units.
@Suite("Devices with up to 64 channels")
struct WideDeviceTests {
  private static let manifest = """
    {"stint_manifest": 2, "device": "air.station", "kind": "sensor", "title": "station",
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
     "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
     "verbs": ["start", "stop"], "fifo": 3,
     "attributes": [{"name": "rate", "unit": "Hz", "range": ["1 per h", "1 Hz"], "default": "1 Hz"}],
     "channels": [{"name": "dust", "unit": "ug/m3"}, {"name": "co2", "unit": "ppm"}, {"name": "air", "unit": "hPa"},
                  {"name": "index", "unit": "1"}, {"name": "noise", "unit": "dB"},
                  {"name": "class", "options": ["clean", "dusty", "smoke"]}, {"name": "voc", "unit": "ppb"}],
     "facts": [{"name": "dust", "unit": "ug/m3", "range": ["0 ug/m3", "1000 ug/m3"], "max_age": "10 min"},
               {"name": "class", "options": ["clean", "dusty", "smoke"], "max_age": "10 min"}]}
    """

  private func manifest(_ old: String = "", _ new: String = "") throws -> Manifest {
    let text = old.isEmpty ? Self.manifest : Self.manifest.replacing(old, with: new)
    return try ManifestReader.manifest(of: Array(text.utf8), source: "air.json")
  }

  private func plugin(_ manifest: Manifest) throws -> any DevicePlugin {
    var scenario = Laboratory(legs: [.moving(.walking, .hours(1))]).scenario
    func steps(_ path: String, _ values: (Int64, String)...) -> ScriptedValue {
      ScriptedValue(
        path: "air.station.\(path)",
        shape: .steps(values.map { ScriptedValue.Step(at: .seconds($0.0), text: $0.1) }), noise: nil)
    }
    scenario.values = [
      steps("dust", (0, "40 ug/m3")), steps("co2", (0, "900 ppm")), steps("air", (0, "1010 hPa")),
      steps("index", (0, "140")), steps("noise", (0, "60 dB"), (3, "70 dB")),
      steps("class", (0, "dusty"), (3, "smoke")), steps("voc", (0, "12 ppb")),
    ]
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    return try #require(try phone.plugins(for: [manifest]).first)
  }

  private func batches(_ setting: Setting, seconds: Int64) async throws -> [Batch] {
    let manifest = try manifest()
    let plugin = try plugin(manifest)
    let port = DevicePort(manifest: manifest)
    try await plugin.open(port, at: Laboratory.start)
    try await plugin.apply(setting, at: Laboratory.start)
    for second in 1...seconds {
      await plugin.wake(at: Laboratory.start + .seconds(second), horizon: .distantFuture)
    }
    await (plugin as? any SensorPlugin)?.drain(at: Laboratory.start + .seconds(seconds), reason: .flushed)
    var events: [PortEvent] = []
    _ = port.drainEvents(into: &events)
    return events.compactMap { event in if case .batch(let batch, _) = event { batch } else { nil } }
  }

  /// Rounds to a millionth, because the conversion between units is a division with a rounding error.
  private func rounded(_ values: [Double]) -> [Double] { values.map { ($0 * 1e6).rounded() / 1e6 } }

  @Test("a sample has a value for each channel: a number in the channel's unit, or the index of a word")
  func values() async throws {
    let batches = try await batches(Setting(isOn: true), seconds: 3)
    let rows = batches.flatMap { batch in batch.samples.map { rounded($0.values(with: batch.wide)) } }
    #expect(
      rows == [
        [40, 900, 1010, 140, 60, 1, 12], [40, 900, 1010, 140, 60, 1, 12], [40, 900, 1010, 140, 70, 2, 12],
      ])
  }

  @Test(
    "when a full FIFO keeps the newest samples, it also keeps their values of the fifth and later channels"
  )
  func newest() async throws {
    let setting = Setting(isOn: true, isHolding: true, keepsNewest: true)
    let held = try await batches(setting, seconds: 8)
    let batch = try #require(held.first)
    #expect(held.count == 1 && batch.samples.map(\.sequence) == [5, 6, 7])
    #expect(batch.samples.allSatisfy { rounded($0.values(with: batch.wide)).suffix(3) == [70, 2, 12] })
  }

  @Test("a device with more than four channels passes the conformance checks")
  func conformance() async throws {
    let report = await PluginConformance.check(try plugin(try manifest()), at: Laboratory.start)
    #expect(report.passed, "\(report)")
  }

  @Test(
    "a manifest with wrong channels is refused",
    arguments: [
      ("\"stint_manifest\": 2", "\"stint_manifest\": 1", "version 1 of the format has at most 4 channels"),
      ("\"stint_manifest\": 2", "\"stint_manifest\": 1", "version 1 of the format has no channels of words"),
      ("\"name\": \"noise\"", "\"name\": \"air\"", "two channels are named “air”"),
      ("\"name\": \"noise\"", "\"name\": \"t\"", "“t” is the time of a sample"),
      (
        "\"class\", \"options\"", "\"class\", \"unit\": \"m\", \"options\"",
        "unit and options exclude each other"
      ),
    ])
  func refused(old: String, new: String, cause: String) throws {
    let problem = try #require(throws: Problem.self) { try manifest(old, new) }
    #expect("\(problem)".contains(cause), "\(problem)")
  }

  @Test("64 channels are accepted, and 65 are refused")
  func limit() throws {
    func channels(_ count: Int) -> String {
      (0..<count).map { "{\"name\": \"c\($0)\", \"unit\": \"V\"}" }.joined(separator: ", ")
    }
    let start = "\"channels\": ["
    #expect(try manifest(start, start + channels(57) + ", ").channels.count == 64)
    let problem = try #require(throws: Problem.self) { try manifest(start, start + channels(58) + ", ") }
    #expect("\(problem)".contains("65 channels exceed the limit of 64"), "\(problem)")
  }
}
