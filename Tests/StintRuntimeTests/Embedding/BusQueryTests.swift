import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

@Suite("Queries to a bus") struct BusQueryTests {
  private static let trail = """
    policy "trail" version 1
    use location.gnss as gps
    rule night while hike.left < 1 h { stop gps }
    """

  /// Asks a question at the socket of a bus and returns the answer.
  private static func ask(_ question: String, at path: String) async throws -> String {
    let answer = await Spawner.runOnThread {
      Result { () throws(Problem) in
        let lines = try ControlLines(at: path)
        try lines.send(question)
        return try lines.next()
      }
    }
    return try #require(try answer.get())
  }

  private func withPhone(
    files: Bus.Files = Bus.Files(), _ body: (Bus, Client) async throws -> Void
  ) async throws {
    let phone = try ReferencePhone(scenario: "day-hike")
    try await withBus(
      Bus(
        plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart),
        facts: [AppFact("hike.left", .quantity(unit: "h"))], files: files)
    ) { bus in
      try await bus.load(text: Self.trail)
      try await body(bus, try await bus.attach("trail-app", authorized: .always))
    }
  }

  @Test(
    "a bus reports a device's served and waiting clients, the rules that make them wait, and the energy"
  )
  func devices() async throws {
    try await withPhone { bus, app in
      try await app.withDemand(.location(accuracy: .meters(10))) { _ in
        try await bus.advance(by: .seconds(60))
        let on = try #require(await bus.devices().first { $0.name == "location.gnss" })
        #expect(on.isOn && on.isAvailable && on.served == ["trail-app"] && on.waiting.isEmpty)
        #expect(on.power > .zero && on.energy > .zero)

        try await app.publish("hike.left", .quantity(30, unit: "min"))
        let off = try #require(await bus.devices().first { $0.name == "location.gnss" })
        #expect(!off.isOn && off.served.isEmpty)
        #expect(
          off.waiting == [.init(client: "trail-app", status: "stopped", rules: ["trail/night"], pause: nil)])
        #expect(await bus.why("location.gnss").contains("trail/night"))
        #expect(await bus.whyNot("location.gnss")?.contains("trail/night") == true)
        #expect(await bus.whyNot("location.none") == nil)
      }
      let energy = await bus.energy()
      #expect(energy.total > .zero)
      for list in [energy.byDevice, energy.byClient, energy.byRule] {
        #expect(list.values.reduce(.zero, +) == energy.total)
      }
      #expect(energy.byClient["trail-app"].map { $0 > .zero } == true)
      await bus.close()
      #expect(await bus.energy() == bus.energy())
      #expect(await bus.energy().total == energy.total)
    }
  }

  @Test("updates that paused themselves are reported even while the client has another demand on the device")
  func pauses() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("control")
    let home = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    let scenario = Scenario(
      name: "rest", start: .epoch + .hours(24), duration: .hours(3),
      devices: ["location.gnss", "motion.accelerometer"], origin: home)
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    try await withBus(
      Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart), files: files)
    ) { bus in
      let app = try await bus.attach("app", authorized: .always)
      try await app.withDemand(.location(accuracy: .meters(10))) { _ in
        _ = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10), activity: .fitness))
        func waiting() async -> [DeviceReport.Waiting] {
          await bus.devices().first { $0.name == "location.gnss" }?.waiting ?? []
        }
        var minutes = 0
        while await waiting().isEmpty, minutes < 120 {
          try await bus.advance(by: .seconds(60))
          minutes += 1
        }
        #expect(await waiting().map(\.status) == ["paused"])
        #expect(await waiting().first?.pause?.reason == .atRest)
        let device = try #require(await bus.devices().first { $0.name == "location.gnss" })
        #expect(device.isOn && device.served == ["app"])
        let text = try #require(await bus.whyNot("location.gnss"))
        let beginning = "location.gnss: it is on\n  paused      “way” of app: paused"
        #expect(text.hasPrefix(beginning), "\(text)")
        for (question, part) in [
          (#"{"ask":"status"}"#, #""paused":[{"request":"way","device":"location.gnss","reason":"at-rest""#),
          (
            #"{"ask":"why-not","thing":"location.gnss"}"#,
            #""paused":[{"client":"app","request":"way","device":"location.gnss","reason":"at-rest""#
          ),
        ] {
          let answer = try await Self.ask(question, at: folder.at("control"))
          #expect(answer.contains(part), "\(answer)")
        }
      }
    }
  }

  @Test("a bus returns facts of devices and apps with their units, and nil for an unknown name")
  func facts() async throws {
    try await withPhone { bus, app in
      #expect(await bus.fact("hike.left") == .unknown)
      try await app.publish("hike.left", .quantity(2, unit: "h"))
      #expect(await bus.fact("hike.left") == .quantity(7200, unit: "s"))
      #expect(await bus.fact("hike.right") == nil)
      try await bus.advance(by: .seconds(60))
      guard case .quantity(let level, "%")? = await bus.fact("battery.level") else {
        Issue.record("the level of the battery is not a ratio")
        return
      }
      #expect(level > 0 && level <= 100)
    }
  }

  @Test("a bus lists all facts with their ages, and a value that is too old is unknown")
  func factList() async throws {
    let bus = try await Bus(
      plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual,
      facts: [AppFact("hike.left", .quantity(unit: "h"), maxAge: .seconds(60))])
    let app = try await bus.attach("app", authorized: .always)
    try await app.publish("hike.left", .quantity(2, unit: "h"))
    try await bus.advance(by: .seconds(20))
    let facts = await bus.facts()
    #expect(facts.map(\.name) == facts.map(\.name).sorted() && facts.count > 5)
    let left = try #require(facts.first { $0.name == "hike.left" })
    #expect(left.value == .quantity(7200, unit: "s") && left.age == .seconds(20) && left.device == nil)
    #expect(facts.first { $0.name == "location.gnss.on" }?.device == "location.gnss")
    try await bus.advance(by: .seconds(50))
    #expect(await bus.fact("hike.left") == .unknown)
    let old = try #require(await bus.facts().first { $0.name == "hike.left" })
    #expect(old.value == .unknown && old.age == .seconds(70))
    await bus.close()
  }

  @Test("a bus answers the requests `status`, `why`, `push` and `rollback` at its socket")
  func questions() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("control")
    try await withPhone(files: files) { bus, _ in
      func ask(_ question: String) async throws -> String {
        try await Self.ask(question, at: folder.at("control"))
      }
      let status = try await ask(#"{"ask":"status"}"#)
      #expect(status.contains(#""ok":true"#) && status.contains("trail version 1"))
      #expect(try await ask(#"{"ask":"why","device":"location.gnss"}"#).contains("location.gnss"))
      let push = #"{"ask":"push","file":"trail.stint","text":"policy \"trail\" version 2\n"}"#
      #expect(try await ask(push).contains(#""ok":true"#))
      #expect(bus.policies == ["trail version 2"])
      #expect(try await ask(#"{"ask":"rollback"}"#).contains(#""ok":true"#))
      #expect(bus.policies == ["trail version 1"])
    }
  }

  @Test(
    "policies whose rules cannot have an effect are refused; the error names the missing and present devices"
  )
  func misfit() async throws {
    let sensor = try TickingSensor("motion.accelerometer")
    try await withBus(Bus(plugins: .linked([sensor]), clock: .virtual)) { bus in
      let trail = """
        policy "trail" version 1
        use location.gnss as gps
        rule low while motion.accelerometer.on { downgrade gps to 100 m }
        """
      let error = await #expect(throws: Problem.self) { try await bus.load(text: trail) }
      #expect(error?.code == .noSuchDevice)
      #expect(
        error?.cause
          == "no rule can have an effect; no device is called “location.gnss”; the devices are "
          + "motion.accelerometer")
      #expect(bus.policies.isEmpty)
      try await bus.load(text: "policy \"empty\" version 1\n")
      #expect(bus.policies == ["empty version 1"])
    }
  }

  @Test("positions arrive one after another; the sequence throws when the permission is withdrawn")
  func fixes() async throws {
    try await withPhone { bus, app in
      let request = LocationUpdates(accuracy: .meters(10))
      let ends = try await app.withService("way", request) { notices in
        async let time: Void = bus.flow()
        var fixes: [Fix] = []
        var end: Problem?
        do throws(Problem) {
          for try await fix in notices.fixes {
            fixes.append(fix)
            if fixes.count == 10 { await app.authorize(.denied) }
          }
        } catch {
          end = error
        }
        await bus.close()
        await time
        return (fixes, end)
      }
      #expect(ends.0.count >= 10)
      #expect(ends.0.allSatisfy { $0.accuracy > 0 })
      #expect(ends.1?.code == Problem.Code("denied"))
    }
  }

  @Test("a request for one fix throws “timed-out” when no fix arrives in time")
  func unanswered() async throws {
    let silent = try TickingSensor("location.gnss", isSilent: true)
    try await withBus(Bus(plugins: .linked([silent]), clock: .virtual)) { bus in
      let app = try await bus.attach("app", authorized: .always)
      let error = await #expect(throws: Problem.self) {
        try await app.withService("here", FixRequest(accuracy: .meters(10), timeout: .seconds(20))) {
          notices in
          async let _ = bus.flow()
          for try await _ in notices.fixes {}
        }
      }
      #expect(error?.code == Problem.Code("timed-out"))
    }
  }

  @Test("`run` returns after a cancellation or a close, and then the bus is closed")
  func run() async throws {
    for isCancelled in [true, false] {
      let sensor = try TickingSensor("location.gnss")
      let bus = try await Bus(plugins: .linked([sensor]), clock: .system)
      let service = Task { await bus.run() }
      await Task.yield()
      if isCancelled { service.cancel() } else { await bus.close() }
      await service.value
      #expect(await bus.state == .closed)
      #expect(await sensor.isClosed)
      await bus.run()
    }
  }

  @Test("`withBus` closes the bus when its closure throws")
  func thrown() async throws {
    struct Stop: Error {}
    let sensor = try TickingSensor("location.gnss")
    await #expect(throws: Stop.self) {
      try await withBus(Bus(plugins: .linked([sensor]), clock: .virtual)) { _ in throw Stop() }
    }
    #expect(await sensor.isClosed)
  }
}
