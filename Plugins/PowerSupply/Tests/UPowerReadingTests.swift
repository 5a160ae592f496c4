import StintDBus
import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPowerSupply

@Suite("power supply: UPower")
struct UPowerReadingTests {
  @Test("UPower's battery states determine whether the battery is charging; unknown states give no value")
  func states() {
    let states: [(UInt32, Bool?)] = [
      (0, nil), (1, true), (2, false), (3, false), (4, false), (5, false), (6, false), (7, nil), (.max, nil),
    ]
    for (state, isCharging) in states {
      let reading = PowerReading(isOnBattery: true, type: 2, state: state, percentage: 42, watts: -7.5)
      #expect(reading.isCharging == isCharging, "\(state)")
      #expect(reading.level == 0.42 && reading.power == 7.5 && reading.isExternal == false)
      #expect(reading.complaints.isEmpty)
    }
  }

  @Test("without a battery there is no level, and external power is on when OnBattery of UPower is false")
  func none() {
    for reading in [
      PowerReading(isOnBattery: false),
      PowerReading(isOnBattery: false, type: 1, state: 1, percentage: 50, watts: 1),
    ] {
      #expect(reading.level == nil && reading.isCharging == nil && reading.power == nil)
      #expect(reading.isExternal == true)
    }
  }

  @Test(
    "wrong input: an impossible value is reported and unknown",
    arguments: [-1, 100.5, .nan, .infinity, -.infinity] as [Double])
  func malformed(number: Double) {
    let reading = PowerReading(isOnBattery: true, type: 2, state: 2, percentage: number, watts: 1)
    #expect(reading.level == nil && reading.complaints.count == 1)
    let rate = PowerReading(isOnBattery: true, type: 2, state: 2, percentage: 1, watts: number)
    #expect(rate.complaints.count == (number.isFinite ? 0 : 1))
  }

  @Test("without a battery only two answers are needed; a missing answer or a wrong type is a problem")
  func answers() throws {
    let problem = Problem(.noValidAnswer, place: "UPower", cause: "no answer")
    let missing = Result<DBusValue, Problem>.failure(problem)
    func values(_ values: DBusValue...) -> [Result<DBusValue, Problem>] { values.map { .success($0) } }
    let none = try PowerReading(
      answers: values(.boolean(false), .boolean(false)) + [missing, missing, missing, missing])
    #expect(none.isExternal == true && none.level == nil && none.complaints.isEmpty)
    let full = values(
      .boolean(true), .boolean(true), .uint32(2), .uint32(1), .variant(.double(50)), .double(3))
    let reading = try PowerReading(answers: full)
    #expect(reading.level == 0.5 && reading.isCharging == true && reading.power == 3)
    for index in full.indices {
      var answers = full
      answers[index] = missing
      #expect(throws: problem) { try PowerReading(answers: answers) }
      answers[index] = .success(.text("1"))
      let wrong = #expect(throws: Problem.self) { try PowerReading(answers: answers) }
      #expect(wrong?.code == .type && wrong?.cause == "the value has the type “s”")
    }
  }

  @Test("wrong input: an unknown source, and a setting that its source does not have, are rejected")
  func settings() throws {
    #expect(try PowerSupplySettings(["by": .text("upower"), "bus": .text("unix:path=/x")]).asksUPower)
    #expect(try !PowerSupplySettings(["by": .text("sysfs")]).asksUPower)
    let wrong: [[String: PluginSettingValue]] = [
      ["by": .text("acpi")], ["by": .text("")], ["bus": .text("unix:path=/x")],
      ["by": .text("upower"), "supply": .text("BAT0")],
    ]
    for values in wrong { #expect(throws: Problem.self) { try PowerSupplySettings(values) } }
  }

  @Test("without a message bus or without libsystemd, one fault is reported and the facts are unknown")
  func absent() async throws {
    var settings = PowerSupplySettings()
    settings.asksUPower = true
    settings.bus = "unix:path=/nowhere/at/all"
    settings.sys = "/nowhere"
    let plugin = try PowerSupplyPlugin(settings) { .epoch }
    let loop = BenchLoop()
    let port = DevicePort(manifest: plugin.manifest, on: loop)
    try await plugin.open(port, at: .epoch)
    await plugin.read(at: .epoch)
    var events: [PortEvent] = []
    let hasFault = loop.run {
      port.drainEvents(into: &events)
      return events.contains { if case .outcome(.fault, _) = $0 { true } else { false } }
    }
    #expect(hasFault)
    let facts = events.filter { if case .fact(_, .unknown, _) = $0 { true } else { false } }
    #expect(facts.count == 6)
    let faults = events.compactMap { event -> String? in
      if case .outcome(.fault(let text), _) = event { text } else { nil }
    }
    #expect(faults.count == 1 && faults[0].hasPrefix("UPower does not answer: "), "\(faults)")
    await plugin.close(at: .epoch)
  }
}
