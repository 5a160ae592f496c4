import StintModel
import StintPluginKit
import StintRuntime
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

/// Further tests of a bus: scenario files, missing devices and permissions, shared facts, and sites.
@Suite struct BusLeftoverTests {
  private static let rain = AppFact("weather.rain", .truth)

  private func bus(_ device: DeviceID = "location.gnss", files: Bus.Files = Bus.Files()) async throws -> Bus {
    try await Bus(
      plugins: .linked([try TickingSensor(device)]), clock: .virtual, facts: [Self.rain], files: files)
  }

  @Test("a phone from a scenario file with beacons has a Bluetooth radio and a fact for each beacon")
  func scenarioFile() async throws {
    let folder = TemporaryFolder()
    let beacons = #"[{"identity": "7a-b", "at": [47.05, 8.31], "major": 7, "minor": 9}]"#
    folder.write(
      "dock.json",
      #"""
      {"stint_scenario": 1, "name": "dock", "title": "a dock", "start": "2026-05-16T06:00:00Z",
       "duration": "1 h", "world": {"origin": [47.05, 8.31]}, "clients": [], "beacons": \#(beacons)}
      """#)
    let phone = try ReferencePhone(scenario: folder.at("dock.json"))
    let bus = try await Bus(plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart))
    #expect(await bus.devices().contains { $0.name == "radio.ble" })
    #expect(await bus.fact("beacon.7a-b.7.9") == .unknown)
    await bus.close()
    let error = #expect(throws: Problem.self) { try ReferencePhone(scenario: folder.at("none.json")) }
    #expect(error?.code == .notFound)
  }

  @Test("a demand for which no device exists is refused, and the remedy names the devices of the bus")
  func noDevice() async throws {
    let bus = try await bus("motion.accelerometer")
    let app = try await bus.attach("app", authorized: .always)
    for request in [DemandRequest.location(accuracy: .meters(10)), .samples(of: "location.gnss")] {
      let error = await #expect(throws: Problem.self) { try await app.withDemand(request) { _ in } }
      #expect(error?.code == .noSuchDevice)
      #expect(error?.remedy.contains("motion.accelerometer") == true)
    }
    await bus.close()
  }

  @Test("the refusal of a demand without permission names the capability and the way to permit it")
  func permission() async throws {
    let bus = try await bus("motion.accelerometer")
    var permissions = Permissions.always
    permissions.motion = .undecided
    let app = try await bus.attach("app", authorized: permissions)
    func cause() async -> String {
      let error = await #expect(throws: Problem.self) {
        try await app.withDemand(.acceleration(every: .seconds(1))) { _ in }
      }
      #expect(error?.code == (permissions.motion == .denied ? .denied : .undecided))
      return error?.cause ?? ""
    }
    let undecided = await cause()
    #expect(undecided.contains("motion sensors") && undecided.contains("a request for permission"))
    permissions.motion = .denied
    await app.authorize(permissions)
    let denied = await cause()
    #expect(denied.contains("motion sensors") && denied.contains("must allow"))
    await bus.close()
  }

  @Test("a fact has the value of its last publisher, and becomes unknown when that publisher leaves")
  func publishers() async throws {
    let bus = try await bus()
    let (first, second) = (
      try await bus.attach("first", authorized: .always), try await bus.attach("second", authorized: .always)
    )
    try await first.publish("weather.rain", true)
    try await second.publish("weather.rain", false)
    await first.detach()
    #expect(await bus.fact("weather.rain") == .truth(false))
    await second.detach()
    #expect(await bus.fact("weather.rain") == .unknown)
    await bus.close()
  }

  @Test("a client program that leaves does not clear a value that the app published later")
  func programs() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("control")
    let bus = try await bus(files: files)
    let app = try await bus.attach("app", authorized: .always)
    let path = folder.at("control")
    try await Spawner.runOnThread {
      Result {
        let lines = try ControlLines(at: path)
        try lines.send(#"{"attach":{"name":"program"}}"#)
        _ = try lines.next()
        try lines.send(#"{"publish":{"weather.rain":"true"}}"#)
        // The answer to this invalid request shows that the fact is published.
        try lines.send(#"{"end":{"id":1}}"#)
        _ = try lines.next()
      }
    }.get()
    try await app.publish("weather.rain", false)
    // `attach` succeeds once the connection has ended and the name is free again.
    while true {
      do {
        await (try await bus.attach("program", authorized: .always)).detach()
        break
      } catch { await Task.yield() }
    }
    #expect(await bus.fact("weather.rain") == .truth(false))
    await bus.close()
  }

  @Test("a bus whose services file has the path of its control socket is refused")
  func paths() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("same")
    let error = await #expect(throws: Problem.self) {
      try await Bus(
        plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual,
        services: folder.at("same"), files: files)
    }
    #expect(error?.code == .invalid)
  }

  @Test("a bus on a site has the fact app.state, which follows from the presence of its clients")
  func siteState() async throws {
    let folder = TemporaryFolder()
    folder.write("site.json", #"{"stint_site": 1, "plugins": [{"plugin": "ticking"}]}"#)
    let sensor = try TickingSensor("location.gnss")
    let ticking = LinkedPlugin(form: PluginForm(name: "ticking", meaning: "a receiver")) { _, _ in
      [LinkedPlugin.Device(sensor, manifestText: ReferencePhone.manifestText("location.gnss"))]
    }
    let bus = try await Bus(plugins: .site(folder.at("site.json"), linked: [ticking]), clock: .system)
    let app = try await bus.attach("app", authorized: .always)
    #expect(await bus.fact("app.state") == .unknown)
    await app.setPresence(.background)
    #expect(await bus.fact("app.state") == .word("background"))
    await bus.close()
  }
}
