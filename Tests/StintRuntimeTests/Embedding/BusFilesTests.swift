import StintJournal
import StintLanguage
import StintModel
import StintPluginKit
import StintRuntime
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Files, sites and sockets of a bus") struct BusFilesTests {
  private func trail(_ version: Int, limit: Int = 20) -> String {
    """
    policy "trail" version \(version)
    use location.gnss as gps
    rule low while battery.level < \(limit) % { downgrade gps to 100 m }
    """
  }

  private func phone(_ files: Bus.Files) async throws -> Bus {
    let phone = try ReferencePhone(scenario: "day-hike")
    return try await Bus(
      plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart), files: files)
  }

  @Test("a bus with a state file continues with its policies, their generations and its time")
  func state() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.state = folder.at("state")
    let first = try await phone(files)
    try await first.load(text: trail(1))
    try await first.load(text: trail(2, limit: 30))
    try await first.advance(by: .seconds(600))
    let now = first.now
    await first.close()

    let second = try await phone(files)
    #expect(second.policies == ["trail version 2"])
    #expect(second.now == now)
    try await second.rollBack()
    #expect(second.policies == ["trail version 1"])
    let error = await #expect(throws: Problem.self) { try await second.rollBack() }
    #expect(error?.code == .badPolicy)
    #expect(error?.cause == "there is no earlier generation")
    #expect(second.policies == ["trail version 1"])
    await second.close()
  }

  @Test("a load that cannot be saved throws the reason; the policies are in force until the next start")
  func unsaved() async throws {
    let folder = TemporaryFolder()
    folder.makeFolder("disk")
    var files = Bus.Files()
    files.state = folder.at("disk/state")
    let bus = try await phone(files)
    try await bus.load(text: trail(1))
    #expect(rename(folder.at("disk"), folder.at("gone")) == 0)
    let error = await #expect(throws: Problem.self) { try await bus.load(text: trail(2)) }
    #expect(error?.cause.contains("cannot be saved and is lost at the next start") == true)
    #expect(bus.policies == ["trail version 2"])
    await bus.close()
  }

  @Test("a bus with a journal records the run, and the journal replays to the same policies")
  func journal() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.journal = folder.at("journal")
    let bus = try await phone(files)
    try await bus.load(text: trail(1))
    let app = try await bus.attach("trail-app", authorized: .always)
    try await app.withDemand(.location(accuracy: .meters(10))) { _ in
      try await bus.advance(by: .seconds(600))
    }
    await bus.close()
    let path = try #require(try JournalFolder.journals(at: folder.at("journal")).first)
    let moment = try JournalReplay.moment(of: path, at: nil)
    #expect(moment.policies.map(\.name) == ["trail"])
    #expect(moment.decisions > 0)
  }

  @Test("a state file or a journal needs the texts of the manifests")
  func texts() async throws {
    var files = Bus.Files()
    files.journal = "never-written"
    let sensor = try TickingSensor("location.gnss")
    let error = await #expect(throws: Problem.self) {
      try await Bus(plugins: .linked([sensor]), clock: .virtual, files: files)
    }
    #expect(error?.code == .badRequest)
    #expect(Folder.entry(at: "never-written") == .nothing)
  }

  @Test("a second bus with the same state file is refused while the first one runs")
  func taken() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.state = folder.at("state")
    let first = try await phone(files)
    let error = await #expect(throws: Problem.self) { try await phone(files) }
    #expect(error?.cause.contains("is using it") == true, "\(String(describing: error))")
    await first.close()
    await (try phone(files)).close()
  }

  @Test("a changed watched policy comes into force; a change with errors is reported and has no effect")
  func watched() async throws {
    let folder = TemporaryFolder()
    folder.write("trail.stint", trail(1))
    var files = Bus.Files()
    files.policies = folder.at("trail.stint")
    let events = Condition<[String]>([])
    let bus = try await Bus(
      plugins: .linked([try TickingSensor("location.gnss")]), clock: .system,
      facts: [AppFact("battery.level", .quantity(unit: "%"))], files: files,
      onEvent: { event in events.changeForAll { $0.append(event.text) } })
    #expect(bus.policies == ["trail version 1"])
    func change(_ text: String, until part: String) async {
      folder.write("trail.stint", text)
      _ = await Spawner.runOnThread {
        events.wait { $0.contains { $0.contains(part) } ? true : nil }
      }
    }
    await change(trail(2, limit: 30), until: "trail version 2")
    #expect(bus.policies == ["trail version 2"])
    await change("policy \"trail\" version 3\nrule x while nothing { }\n", until: "the edit is refused")
    #expect(bus.policies == ["trail version 2"])
    await bus.close()
  }

  @Test("an app runs the plugins that a site file names, with its own facts")
  func site() async throws {
    let folder = TemporaryFolder()
    folder.write("site.json", #"{"stint_site": 1, "title": "cabin", "plugins": [{"plugin": "ticking"}]}"#)
    let form = PluginForm(name: "ticking", meaning: "a receiver that measures each second")
    let sensor = try TickingSensor("location.gnss")
    let ticking = LinkedPlugin(form: form) { _, _ in
      [LinkedPlugin.Device(sensor, manifestText: ReferencePhone.manifestText("location.gnss"))]
    }
    let bus = try await Bus(
      plugins: .site(folder.at("site.json"), linked: [ticking]), clock: .system,
      facts: [AppFact("hike.left", .quantity(unit: "h"))])
    try await bus.load(
      text: """
        policy "cabin" version 1
        use location.gnss as gps
        rule end while hike.left < 1 h { stop gps }
        """)
    let app = try await bus.attach("trail-app", authorized: .always)
    try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      #expect(await sensor.isOn)
      try await app.publish("hike.left", .quantity(0.5, unit: "h"))
      #expect(await !sensor.isOn)
    }
    await bus.close()
    let error = await #expect(throws: Problem.self) {
      try await Bus(plugins: .site(folder.at("site.json"), linked: [ticking]), clock: .virtual)
    }
    #expect(error?.code == .badRequest)
  }

  @Test("a program attaches to the socket of a bus beside the app; one name has one owner")
  func socket() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("control")
    let bus = try await phone(files)
    let app = try await bus.attach("trail-app", authorized: .always)
    _ = try await app.ask("way", for: LocationUpdates(accuracy: 10))
    let lines = try ControlLines(at: folder.at("control"))
    try lines.send(#"{"attach":{"name":"program"}}"#)
    #expect(try lines.next()?.contains("attached") == true)
    try lines.send(#"{"request":{"id":1,"kind":"updates","accuracy":"10 m"}}"#)
    #expect(try lines.next() == #"{"accepted":{"id":1}}"#)
    try await bus.advance(by: .seconds(300))
    var line = try lines.next()
    while let text = line, !text.contains("fixes") { line = try lines.next() }
    #expect(line?.contains("location.gnss") == true)

    let taken = await #expect(throws: Problem.self) {
      try await bus.attach("program", authorized: .always)
    }
    #expect(taken?.code == .taken)
    let other = try ControlLines(at: folder.at("control"))
    try other.send(#"{"attach":{"name":"trail-app"}}"#)
    #expect(try other.next()?.contains(#""code":"taken""#) == true)
    await bus.close()
    while let text = line, !text.contains("ended") { line = try lines.next() }
    #expect(line?.contains(#""reason":"#) == true)
    #expect(Folder.entry(at: folder.at("control")) == .nothing)
  }

  @Test("a load that waits while the bus closes ends with “closed”")
  func closing() async throws {
    for round in 0..<20 {
      let bus = try await phone(Bus.Files())
      let trail = trail(round + 1)
      let load = Task { () async -> Problem.Code? in
        do throws(Problem) {
          for _ in 0..<3 { try await bus.load(text: trail) }
          return nil
        } catch {
          return error.code
        }
      }
      for _ in 0..<round { await Task.yield() }
      await bus.close()
      let code = await load.value
      #expect(code == nil || code == .closed)
    }
  }
}
