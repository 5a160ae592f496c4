import StintFormats
import StintModel
import StintPluginKit
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import StintRuntime

/// Tests simulated devices with channels of bytes.
@Suite struct ByteDeviceTests {
  private static let manifest = """
    {"stint_manifest": 2, "device": "air.receiver", "kind": "sensor", "title": "receiver",
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
     "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
     "verbs": ["start", "stop"], "fifo": 3,
     "attributes": [{"name": "rate", "unit": "Hz", "range": ["1 per h", "1 Hz"], "default": "1 Hz"}],
     "channels": [{"name": "signal", "unit": "dBm"}, {"name": "payload", "bytes": 4},
                  {"name": "key", "bytes": 2}]}
    """

  private let temporaryFiles = TemporaryFiles()

  private func manifest(_ old: String = "", _ new: String = "") throws -> Manifest {
    let text = old.isEmpty ? Self.manifest : Self.manifest.replacing(old, with: new)
    return try ManifestReader.manifest(of: Array(text.utf8), source: "receiver.json")
  }

  private func plugin(_ values: [ScriptedValue]) throws -> any DevicePlugin {
    var scenario = Laboratory(legs: [.moving(.walking, .hours(1))]).scenario
    scenario.values = values
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    return try #require(try phone.plugins(for: [try manifest()]).first)
  }

  private static func steps(_ channel: String, _ values: (Int64, String)...) -> ScriptedValue {
    ScriptedValue(
      path: "air.receiver.\(channel)",
      shape: .steps(values.map { ScriptedValue.Step(at: .seconds($0.0), text: $0.1) }))
  }

  /// Returns the bytes of each sample as hexadecimal digits.
  private func bytes(_ values: [ScriptedValue], _ setting: Setting, seconds: Int64) async throws -> [[String]]
  {
    let plugin = try plugin(values)
    let port = DevicePort(manifest: plugin.manifest)
    try await plugin.open(port, at: Laboratory.start)
    try await plugin.apply(setting, at: Laboratory.start)
    for second in 1...seconds {
      await plugin.wake(at: Laboratory.start + .seconds(second), horizon: .distantFuture)
    }
    await (plugin as? any SensorPlugin)?.drain(at: Laboratory.start + .seconds(seconds), reason: .flushed)
    var events: [PortEvent] = []
    _ = port.drainEvents(into: &events)
    return events.flatMap { event -> [[String]] in
      guard case .batch(let batch, _) = event else { return [] }
      return batch.samples.map { sample in
        plugin.manifest.values(of: sample, with: batch.wide).compactMap(\.value.hexadecimal)
      }
    }
  }

  @Test("the values of a channel of bytes come from the scenario, and are empty without an entry")
  func steps() async throws {
    let script = [Self.steps("payload", (0, "0aFF"), (3, "01020304"))]
    let rows = try await bytes(script, Setting(isOn: true), seconds: 4)
    #expect(rows == [["0aff", ""], ["0aff", ""], ["01020304", ""], ["01020304", ""]])
  }

  @Test("a column of a table gives the bytes, and repeats")
  func table() async throws {
    let file = temporaryFiles.path("bytes.csv")
    try FileText.write(Array("t_s,payload\n0,00\n1,\n2,beef\n3,01\n".utf8), to: file)
    let script = ScriptedValue(
      path: "air.receiver.payload",
      shape: .table(file: file, column: "payload", unit: nil, isRepeated: true))
    let rows = try await bytes([script], Setting(isOn: true), seconds: 5)
    #expect(rows.map { $0[0] } == ["", "beef", "00", "", "beef"])
  }

  @Test("when a full FIFO keeps the newest samples, it also keeps their bytes")
  func newest() async throws {
    let script = [Self.steps("key", (0, "01"), (6, "0602"), (7, ""))]
    let setting = Setting(isOn: true, isHolding: true, keepsNewest: true)
    let rows = try await bytes(script, setting, seconds: 8)
    #expect(rows == [["", "0602"], ["", ""], ["", ""]])
  }

  @Test(
    "a value that is not bytes of the channel is refused",
    arguments: [
      (
        ScriptedValue.Shape.steps([.init(at: .zero, text: "0")]), "“0” is no value of the channel of bytes"
      ),
      (.steps([.init(at: .zero, text: "0102030405")]), "is no value of the channel of bytes “payload”"),
      (.steps([.init(at: .zero, text: "20 C")]), "write hexadecimal digits, two for each of at most 4 bytes"),
      (.ramp(from: "0", to: "1", over: .seconds(1), isRepeated: false), "bytes have no unit, ramp or sine"),
      (.sine(mean: "0", swing: "1", period: .seconds(1), peak: .zero), "bytes have no unit, ramp or sine"),
    ])
  func refused(shape: ScriptedValue.Shape, cause: String) throws {
    let script = ScriptedValue(path: "air.receiver.payload", shape: shape)
    let problem = try #require(throws: Problem.self) { try plugin([script]) }
    #expect("\(problem)".contains(cause), "\(problem)")
  }

  @Test("bytes with noise are refused")
  func noise() throws {
    var script = Self.steps("payload", (0, "01"))
    script.noise = .init(deviation: "1")
    let problem = try #require(throws: Problem.self) { try plugin([script]) }
    #expect("\(problem)".contains("bytes have no noise"), "\(problem)")
  }

  @Test("a device with channels of bytes passes the conformance checks")
  func conformance() async throws {
    let report = await PluginConformance.check(
      try plugin([Self.steps("payload", (0, "01"))]), at: Laboratory.start)
    #expect(report.passed, "\(report)")
  }

  @Test(
    "a manifest with wrong channels of bytes is refused",
    arguments: [
      ("\"stint_manifest\": 2", "\"stint_manifest\": 1", "version 1 of the format has no channels of bytes"),
      ("\"bytes\": 4", "\"bytes\": 0", "0"), ("\"bytes\": 4", "\"bytes\": 256", "256"),
      ("\"bytes\": 4", "\"bytes\": 4, \"unit\": \"m\"", "unit and bytes exclude each other"),
      ("\"bytes\": 4", "\"bytes\": 4, \"options\": [\"a\"]", "options and bytes exclude each other"),
      ("\"bytes\": 4", "\"unit\": \"m\"", nil),
      ("{\"name\": \"signal\", \"unit\": \"dBm\"}, ", "", nil),
      (
        "{\"name\": \"key\", \"bytes\": 2}", "{\"name\": \"key\", \"unit\": \"m\"}",
        "“key” follows “payload”; channels of bytes must be last"
      ),
    ] as [(String, String, String?)])
  func manifests(old: String, new: String, cause: String?) throws {
    guard let cause else {
      #expect(try manifest(old, new).byteChannels.last?.bytes == 2)
      return
    }
    let problem = try #require(throws: Problem.self) { try manifest(old, new) }
    #expect("\(problem)".contains(cause), "\(problem)")
  }
}
