import StintFormats
import StintModel
import StintPluginKit
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

/// Devices that are simulated from a manifest alone.
@Suite struct ManifestDeviceTests {
  private static let shipped = [
    "Plugins/Thermometer/manifest.json", "Plugins/Gpsd/manifest.json", "Plugins/PowerSupply/manifest.json",
    "Plugins/IIO/Manifests/accelerometer.json", "Plugins/IIO/Manifests/gyroscope.json",
    "Plugins/IIO/Manifests/magnetometer.json",
  ]

  private func device(_ manifest: Manifest, changes: [FactChange] = []) throws -> any DevicePlugin {
    var scenario = Laboratory(legs: [.moving(.walking, .hours(1))]).scenario
    scenario.changes = changes
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    return try #require(try phone.plugins(for: [manifest]).first)
  }

  @Test(
    "M17: a device from the manifest of each shipped plugin conforms to the plugin contract",
    arguments: shipped)
  func conformance(path: String) async throws {
    let manifest = try ManifestReader.manifest(path: Repository.path(path))
    let report = await PluginConformance.check(try device(manifest), at: Laboratory.start)
    #expect(report.passed, "\(report)")
  }

  @Test(
    "M17: a device from a phone's manifest with a changed title conforms to the plugin contract",
    arguments: ReferencePhone.deviceNames + ReferencePhone.optionalDeviceNames)
  func otherTitle(name: DeviceID) async throws {
    var manifest = try #require(ReferencePhone.manifest(name))
    manifest.title += " of another vendor"
    let report = await PluginConformance.check(try device(manifest), at: Laboratory.start)
    #expect(report.passed, "\(report)")
  }

  @Test("from the manifests of its built-in devices, the phone makes devices of the same types")
  func ownDevices() throws {
    let phone = ReferencePhone(Laboratory().scenario, seed: 1, meter: EnergyMeter())
    let own = try phone.plugins()
    let found = try phone.plugins(for: own.map(\.manifest))
    #expect(found.map { "\(type(of: $0))" } == own.map { "\(type(of: $0))" })
  }

  @Test(
    "samples and facts have the middle of their range; after the scenario sets a value, they have that value"
  )
  func values() async throws {
    let manifest = try ManifestReader.manifest(path: Repository.path("Plugins/Thermometer/manifest.json"))
    let change = FactChange(
      at: .seconds(25), values: [FactAssignment(path: "ambient.temperature.temperature", text: "5 C")])
    let plugin = try device(manifest, changes: [change])
    let port = DevicePort(manifest: manifest)
    try await plugin.open(port, at: Laboratory.start)
    try await plugin.apply(Setting(isOn: true), at: Laboratory.start)
    var events: [PortEvent] = []
    for second in stride(from: 10, through: 40, by: 10) {
      await plugin.wake(at: Laboratory.start + .seconds(Int64(second)), horizon: .distantFuture)
    }
    _ = port.drainEvents(into: &events)
    let samples = events.flatMap { event -> [Double] in
      if case .batch(let batch, _) = event { batch.samples.map(\.first) } else { [] }
    }
    let facts = events.compactMap { event -> FactValue? in
      if case .fact(_, let value, _) = event { value } else { nil }
    }
    #expect(samples == [45, 45, 5, 5])
    #expect(facts == samples.map(FactValue.number))
  }
}
