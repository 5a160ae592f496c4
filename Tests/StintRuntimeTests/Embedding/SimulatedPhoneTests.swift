import Stint
import StintServices
import StintSimulation
import StintTestSupport
import Testing

/// The facts of the simulated phone in the bus of an app, where no simulation publishes the facts of the
/// scenario.
@Suite struct SimulatedPhoneTests {
  private func bus(_ scenario: String = "day-hike") async throws -> Bus {
    let phone = try ReferencePhone(scenario: scenario)
    return try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
  }

  @Test("`host.app` publishes `screen.on` of the scenario at its times; the app sets `app.state`")
  func screen() async throws {
    let bus = try await bus()
    #expect(await bus.fact("screen.on") == .truth(true))
    try await bus.advance(by: .seconds(120))
    #expect(await bus.fact("app.state") == .unknown)
    let app = try await bus.attach("app", authorized: .always)
    await app.setPresence(.background)
    #expect(await bus.fact("app.state") == .word("background"))
    #expect(await bus.fact("screen.on") == .truth(false))
    try await bus.advance(by: .seconds(114 * 60))
    #expect(await bus.fact("screen.on") == .truth(true))
    await bus.close()
  }

  @Test("the battery of the phone falls with the energy of the devices")
  func battery() async throws {
    let bus = try await bus()
    let app = try await bus.attach("app", authorized: .always)
    #expect(await bus.fact("battery.level") == .quantity(86, unit: "%"))
    try await app.withDemand(.location(accuracy: .meters(10), background: true)) { _ in
      try await bus.advance(by: .seconds(6 * 3600))
    }
    let level = await bus.fact("battery.level")
    guard case .quantity(let percent, _)? = level else {
      Issue.record("no level")
      return
    }
    #expect(percent < 86)
    await bus.close()
  }

  @Test("a scenario of its own sets `power.source`, and its level at a time")
  func powerSource() async throws {
    let folder = TemporaryFolder()
    folder.write(
      "charge.json",
      """
      {"stint_scenario": 1, "name": "charge", "start": "2026-05-16T08:00:00Z", "duration": "1 h",
       "world": {"origin": [47.05, 8.31]}, "clients": [],
       "facts": [{"at": "10 min", "set": {"power.source": "external", "battery.level": "40 %"}}]}
      """)
    let bus = try await bus(folder.at("charge.json"))
    #expect(await bus.fact("power.source") == .word("battery"))
    #expect(await bus.fact("screen.on") == .unknown, "the scenario does not set it")
    try await bus.advance(by: .seconds(600))
    #expect(await bus.fact("power.source") == .word("external"))
    #expect(await bus.fact("battery.level") == .quantity(40, unit: "%"))
    await bus.close()
  }

  @Test("a source that works has no idle reason; a fact that it has not published has one")
  func idleReasons() async throws {
    let bus = try await bus("quiet")
    let facts = await bus.facts()
    func reason(_ name: String) -> String? { facts.first { $0.name == name }.flatMap(\.idleReason) }
    #expect(reason("battery.level") == nil)
    #expect(reason("power.source") == nil)
    #expect(reason("screen.on") == "host.app has not published it")
    await bus.close()
  }
}
