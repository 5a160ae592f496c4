import StintFormats
import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

@Suite struct ReferencePhoneTests {
  @Test("every manifest of the phone is valid")
  func validManifests() throws {
    let manifests = try ReferencePhone.manifests()
    #expect(manifests.map(\.device) == ReferencePhone.deviceNames)
    let further = ReferencePhone.optionalDeviceNames.compactMap { ReferencePhone.manifest($0) }
    #expect(further.count == ReferencePhone.optionalDeviceNames.count)
    #expect(ReferencePhone.manifest("no.such") == nil)
    for manifest in manifests + further {
      #expect(manifest.faults().isEmpty, "\(manifest.device): \(manifest.faults())")
    }
  }

  @Test(
    "M17: every device of the phone conforms to the plugin contract under any sky",
    arguments: ReferencePhone.deviceNames + ReferencePhone.optionalDeviceNames, Leg.Sky.allCases)
  func conformance(device: DeviceID, sky: Leg.Sky) async throws {
    let legs = [Leg.moving(.walking, .hours(1), sky: sky)]
    let plugin = try Laboratory(legs: legs).plugin(device)
    let report = await PluginConformance.check(plugin, at: Laboratory.start)
    #expect(report.passed, "\(report)")
  }

  @Test("the phone publishes every standard fact with its standard type and range")
  func standardFacts() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    for standard in StandardFact.all {
      let schema = try #require(vocabulary.schema(standard.schema.path))
      #expect(schema.type == standard.schema.type && schema.range == standard.schema.range, "\(schema.path)")
      #expect(vocabulary.fact(schema.path).map { vocabulary.isAbsent($0) } == false)
    }
    let own = vocabulary.facts.filter { schema in
      schema.device.map { !schema.path.hasPrefix($0.path + ".") } ?? false
    }
    #expect(own.map(\.path) == StandardFact.all.map(\.schema.path))
  }

  @Test("the ladders of the phone contain their devices in the order of their ranks")
  func ladders() throws {
    let manifests = try ReferencePhone.manifests()
    let location = manifests.filter { $0.ladder?.name == "location" }
      .sorted { $0.ladder?.rank ?? 0 < $1.ladder?.rank ?? 0 }
    #expect(location.map(\.device) == ["location.cell", "location.wifi", "location.gnss"])
    #expect(location.map { $0.ladder?.serves } == [3000, 100, 5])
    let radios = manifests.filter { $0.ladder?.name == "radio" }
    #expect(radios.map { $0.ladder?.rank } == [1, 0])
    #expect(radios.allSatisfy { $0.ladder?.serves == nil })
  }

  @Test("a scenario with an unknown device is an error that names the device")
  func unknownDevice() {
    var scenario = Laboratory().scenario
    scenario.devices = ["location.gnss", "motion.barometer"]
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    let error = #expect(throws: Problem.self) { try phone.plugins() }
    #expect(error?.description.contains("the phone has no device “motion.barometer”") == true)
  }

  @Test("a phone has only the plugins of the scenario, sorted by device")
  func scenarioPlugins() throws {
    var scenario = Laboratory().scenario
    scenario.devices = ["radio.cellular", "host.processor"]
    let plugins = try ReferencePhone(scenario, seed: 1, meter: EnergyMeter()).plugins()
    #expect(plugins.map(\.manifest.device) == ["host.processor", "radio.cellular"])
  }
}
