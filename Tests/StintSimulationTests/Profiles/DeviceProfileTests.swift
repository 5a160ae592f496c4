import StintFormats
import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

@Suite struct DeviceProfileTests {
  @Test(
    "each manifest of each profile is valid, and its text is read as an equal manifest",
    arguments: DeviceProfile.names)
  func validManifests(name: String) throws {
    let profile = try DeviceProfile(named: name)
    let manifests = try profile.manifests()
    #expect(manifests.map(\.device) == profile.devices)
    for manifest in manifests {
      #expect(manifest.faults().isEmpty, "\(manifest.device): \(manifest.faults())")
      let text = Array(profile.manifestText(manifest.device).utf8)
      #expect(try ManifestReader.manifest(of: text, source: "text") == manifest)
    }
  }

  @Test("the manifests of the reference profile equal those of the reference phone, byte for byte")
  func reference() throws {
    let profile = try DeviceProfile(named: "reference")
    for device in ReferencePhone.deviceNames {
      #expect(profile.manifestText(device) == ReferencePhone.manifestText(device))
    }
  }

  @Test(
    "the receiver of a profile has the listed figures",
    arguments: [
      ("pixel5", 103.6, 18.5, 3.0, 30.0, 16.8), ("nexus5", 290.0, 290.0, 3.0, 30.0, 3.0),
      ("m8tracker", 75.0, 69.0, 1.0, 29.0, 1.087),
    ])
  func receivers(
    name: String, search: Double, track: Double, hot: Double, cold: Double, cycling: Double
  ) throws {
    let manifest = try manifest("location.gnss", of: name)
    let states = Dictionary(uniqueKeysWithValues: manifest.states.map { ($0.name, $0.power.nanowatts) })
    #expect(states["search"] == Int64(search * 1_000_000))
    #expect(states["track"] == Int64(track * 1_000_000))
    #expect(manifest.figures["hot_fix"]?.value == hot)
    #expect(manifest.figures["cold_fix"]?.value == cold)
    #expect(manifest.figures["cycling_from"]?.value == cycling)
    #expect(manifest.figures["radius_open"]?.value == 10)
  }

  @Test(
    "a single packet costs the energy that published sources give",
    arguments: [
      ("lte2012", "radio.cellular", 12.5855), ("umts2012", "radio.cellular", 7.3815),
      ("umts2009", "radio.cellular", 11.25), ("wifi2012", "radio.wifi", 0.03825),
    ])
  func lonePacket(name: String, device: DeviceID, joules: Double) async throws {
    let bench = try await carried(Transfer(bytesUp: 0, bytesDown: 0), by: device, of: name)
    #expect(abs(work(bench) - joules) < 0.0005 * joules)
  }

  @Test(
    "a kilobyte up and a kilobyte down cost the energy that published sources give",
    arguments: [
      ("lte2012", "radio.cellular", 0.005334 + 0.0012246), ("umts2009", "radio.cellular", 0.05),
      ("wifi2012", "radio.wifi", 0.00261965 + 0.00124792),
    ])
  func aKilobyte(name: String, device: DeviceID, joules: Double) async throws {
    let empty = work(try await carried(Transfer(bytesUp: 0, bytesDown: 0), by: device, of: name))
    let full = work(try await carried(Transfer(bytesUp: 1000, bytesDown: 1000), by: device, of: name))
    #expect(abs(full - empty - joules) < 0.001 * joules)
  }

  @Test("the tail of 3G has two stages, and a transfer in the tail needs no promotion")
  func stages() async throws {
    var bench = try await bench("radio.cellular", of: "umts2012")
    await bench.startTransfers([
      AssignedTransfer(demand: DemandID(1), transfer: Transfer(bytesUp: 90, bytesDown: 0))
    ])
    await bench.advance(by: .milliseconds(9000))
    await bench.startTransfers([
      AssignedTransfer(demand: DemandID(2), transfer: Transfer(bytesUp: 90, bytesDown: 0))
    ])
    await bench.advance(by: .minutes(1))
    #expect(
      bench.stateLog == [
        "promotion 0", "sending 0.582", "tail 0.583", "tail_low 8.671", "sending 9", "tail 9.001",
        "tail_low 17.089",
        "idle 17.913",
      ])
  }

  @Test(
    "a profile's accelerometer uses the lowest sufficient rate, or the highest rate if no rate is sufficient")
  func rates() async throws {
    var bench = try await bench("motion.accelerometer", of: "pixel5")
    try await bench.apply(Setting(isOn: true, period: .milliseconds(40)))
    await bench.advance(by: .seconds(10))
    #expect(bench.stateLog.first == "sampling_25 0")
    try await bench.apply(Setting(isOn: true, period: .milliseconds(21)))
    #expect(bench.stateLog.last == "sampling_50 10")
    try await bench.apply(Setting(isOn: true, period: .milliseconds(1)))
    #expect(bench.stateLog.last == "sampling_400 10")
  }

  @Test("a profile name combines a phone and a radio") func together() throws {
    let profile = try DeviceProfile(named: "pixel5+umts2012")
    #expect(profile.name == "pixel5+umts2012")
    let own = try DeviceProfile(named: "pixel5")
    let radio = try DeviceProfile(named: "umts2012")
    #expect(profile.manifestText("radio.cellular") == radio.manifestText("radio.cellular"))
    #expect(profile.manifestText("location.gnss") == own.manifestText("location.gnss"))
    #expect(radio.manifestText("location.gnss") == ReferencePhone.manifestText("location.gnss"))
  }

  @Test(
    "unknown and conflicting profile names are rejected with a cause and a correction",
    arguments: [
      ("pixel6", "no device profile is named “pixel6”", "pixel5, nexus5, m8tracker, lte2012"),
      ("", "the name of the device profile is empty", "reference"),
      ("pixel5+", "a name is missing beside a “+”", "lte2012"),
      ("+", "a name is missing beside a “+”", "reference"),
      ("pixel5+nexus5", "pixel5 and nexus5 are both whole devices", "name one"),
      ("lte2012+umts2009", "lte2012 and umts2009 both describe the same radio", "name one"),
    ])
  func refusals(name: String, cause: String, step: String) {
    let error = #expect(throws: Problem.self) { try DeviceProfile(named: name) }
    #expect(error?.description.contains(cause) == true)
    #expect(error?.description.contains(step) == true)
  }

  // MARK: Benches

  private func manifest(_ device: DeviceID, of name: String) throws -> Manifest {
    try #require(try DeviceProfile(named: name).manifests().first { $0.device == device })
  }

  private func bench(_ device: DeviceID, of name: String) async throws -> PluginBench {
    var scenario = Laboratory().scenario
    scenario.devices = [device]
    let profile = try DeviceProfile(named: name)
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter(), profile: profile)
    var bench = PluginBench(try phone.plugins()[0], at: Laboratory.start)
    try await bench.open()
    return bench
  }

  private func carried(_ transfer: Transfer, by device: DeviceID, of name: String) async throws -> PluginBench
  {
    var bench = try await bench(device, of: name)
    await bench.startTransfers([AssignedTransfer(demand: DemandID(1), transfer: transfer)])
    await bench.advance(by: .minutes(2))
    return bench
  }

  /// Returns the energy of active states and of events, in joules.
  private func work(_ bench: PluginBench) -> Double {
    var total = 0.0
    var last: (state: PowerState, at: Instant)?
    for case .outcome(let outcome, let instant) in bench.events {
      switch outcome {
      case .state(let index, _):
        if let last, last.state.isOn {
          total += Double(last.state.power.nanowatts) * 1e-9 * (instant - last.at).seconds
        }
        last = (bench.plugin.manifest.states[index], instant)
      case .event(let event, let count):
        total += bench.plugin.manifest.events[event].energy.joules * Double(count)
      case .fault: continue
      }
    }
    return total
  }
}
