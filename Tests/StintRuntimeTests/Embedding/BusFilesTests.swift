import StintJournal
import StintLanguage
import StintModel
import StintPluginKit
import StintReplay
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

/// A connection to a socket. One thread at a time uses it.
private struct Lines: @unchecked Sendable {
  let lines: ControlLines
}

@Suite("Files and sockets of a bus") struct BusFilesTests {
  private func trail(_ version: Int, limit: Int = 20) -> String {
    """
    policy "trail" version \(version)
    use location.gnss as gps
    rule low while battery.level < \(limit) % { downgrade gps to 100 m }
    """
  }

  private func phone(_ files: Bus.Files, services: String? = nil) async throws -> Bus {
    let phone = try ReferencePhone(scenario: "day-hike")
    return try await Bus(
      plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart), services: services,
      files: files)
  }

  @Test(
    "a bus with a state file continues with the saved policies, their earlier generations and the saved time"
  )
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

  @Test("buses that load no policies write neither a state file nor the copy of a refused state file")
  func stateWithoutPolicies() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.state = folder.at("state")
    for _ in 0..<2 {
      let bus = try await phone(files)
      try await bus.advance(by: .seconds(120))
      await bus.close()
    }
    #expect(Folder.entry(at: folder.at("state")) == .nothing)
    #expect(Folder.entry(at: folder.at("state.refused")) == .nothing)
  }

  @Test("saved policies are in force in the next bus, even if the next bus watches no policies")
  func stateWithoutWatch() async throws {
    let folder = TemporaryFolder()
    folder.write("trail.stint", trail(1))
    var files = Bus.Files()
    files.state = folder.at("state")
    files.policies = folder.at("trail.stint")
    let manifest = ReferencePhone.manifestText("location.gnss")
    func open() async throws -> Bus {
      let device = LinkedPlugin.Device(try TickingSensor("location.gnss"), manifestText: manifest)
      return try await Bus(
        plugins: .devices([device]), facts: [AppFact("battery.level", .quantity(unit: "%"))], files: files)
    }
    await (try open()).close()
    files.policies = nil
    let second = try await open()
    #expect(second.policies == ["trail version 1"])
    await second.close()
  }

  @Test("two paths of a bus that name the same file in different spellings are refused")
  func samePaths() async throws {
    let folder = TemporaryFolder()
    folder.makeFolder("policies")
    for other in ["state", "state/", "./state", "policies/../state"] {
      var files = Bus.Files()
      files.state = folder.at("state")
      files.control = folder.at(other)
      let error = await #expect(throws: Problem.self, "\(other)") { try await phone(files) }
      #expect(error?.code == .invalid && error?.cause == "two files of the bus have the same path")
    }
  }

  @Test("a program or a folder in place of a file gives a bus one problem with a remedy")
  func notText() async throws {
    let folder = TemporaryFolder()
    folder.makeFolder("empty")
    folder.write("program", "\u{7F}ELF\u{2}\u{1}\0\0 policy \u{3}\n\u{4} { } ! \0\n")
    var problems: [Problem] = []
    for path in ["program", "empty"].map(folder.at) {
      let site = await #expect(throws: Problem.self) { try await Bus(plugins: .site(path)) }
      var files = Bus.Files()
      files.policies = path
      let watched = await #expect(throws: Problem.self) {
        try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), files: files)
      }
      let bus = try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual)
      let loaded = await #expect(throws: Problem.self) { try await bus.load(policies: path) }
      await bus.close()
      problems += [try #require(site), try #require(watched), try #require(loaded)]
    }
    for problem in problems {
      let lines = "\(problem)".split(separator: "\n")
      #expect(lines.count <= 5, "\(problem)")
      #expect(!problem.remedy.isEmpty || problem.cause.contains("hint: "), "\(problem)")
    }
    #expect(problems.count { $0.description.contains("this is not a text file") } == 3, "\(problems)")
    #expect(problems.count { $0.description.contains("folder") } == 3, "\(problems)")
  }

  @Test("a limit of the journal below 1 MiB is refused")
  func journalLimit() async throws {
    for limit in [Int64.min, -1, 0, 500_000] {
      var files = Bus.Files()
      files.journalLimit = limit
      let error = await #expect(throws: Problem.self) { try await phone(files) }
      #expect(error?.code == .invalid)
    }
  }

  @Test("a load that cannot be saved throws the reason and changes nothing")
  func unsaved() async throws {
    let folder = TemporaryFolder()
    folder.makeFolder("disk")
    var files = Bus.Files()
    files.state = folder.at("disk/state")
    let bus = try await phone(files)
    try await bus.load(text: trail(1))
    #expect(rename(folder.at("disk"), folder.at("gone")) == 0)
    let error = await #expect(throws: Problem.self) { try await bus.load(text: trail(2)) }
    #expect(error?.code == .notSaved)
    #expect(error?.cause.hasPrefix("the change cannot be saved: ") == true)
    #expect(bus.policies == ["trail version 1"])
    await #expect(throws: Problem.self) { try await bus.rollBack() }
    #expect(bus.policies == ["trail version 1"])
    // When the folder exists again, the next change is saved.
    #expect(rename(folder.at("gone"), folder.at("disk")) == 0)
    try await bus.load(text: trail(3))
    #expect(bus.policies == ["trail version 3"])
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

  @Test("the journal of a bus whose app declares facts replays with these facts")
  func journalOfFacts() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.journal = folder.at("journal")
    let device = LinkedPlugin.Device(
      try TickingSensor("location.gnss"), manifestText: ReferencePhone.manifestText("location.gnss"))
    let bus = try await Bus(
      plugins: .devices([device]), clock: .virtual,
      facts: [
        AppFact("a.first", .words(["one", "two"])),
        AppFact("hike.left", .quantity(unit: "h"), range: 0...24, maxAge: .seconds(3600)),
        AppFact("view.on", .truth), AppFact("view.share", .quantity(unit: "%"), range: 0...100),
      ], files: files)
    try await bus.load(
      text: """
        policy "trail" version 1
        use location.gnss as gps
        rule end while hike.left < 1 h and view.share > 50 % { stop gps }
        """)
    let app = try await bus.attach("app", authorized: .always)
    try await app.withDemand(.location(accuracy: .meters(10))) { _ in
      try await app.publish("a.first", .word("two"))
      try await app.publish("view.share", .quantity(60, unit: "%"))
      try await app.publish("hike.left", .quantity(0.5, unit: "h"))
      try await bus.advance(by: .seconds(60))
    }
    await bus.close()
    let path = try #require(try JournalFolder.journals(at: folder.at("journal")).first)
    let moment = try JournalReplay.moment(of: path, at: nil)
    #expect(moment.decisions > 2 && moment.policies.map(\.name) == ["trail"])
  }

  @Test("two files with one path, a state file in a missing folder and a wrong manifest text are refused")
  func misuse() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.state = folder.at("x")
    files.control = folder.at("x")
    let equal = await #expect(throws: Problem.self) { try await phone(files) }
    #expect(equal?.code == .invalid)
    files = Bus.Files()
    files.state = folder.at("none/state")
    await #expect(throws: Problem.self) { try await phone(files) }
    let wrong = LinkedPlugin.Device(
      try TickingSensor("location.gnss"), manifestText: ReferencePhone.manifestText("location.wifi"))
    let text = await #expect(throws: Problem.self) {
      try await Bus(plugins: .devices([wrong]), clock: .virtual)
    }
    #expect(text?.code == .badPlugin)
  }

  @Test("a bus with a journal but without the texts of its manifests is refused")
  func texts() async throws {
    var files = Bus.Files()
    files.journal = "never-written"
    let sensor = try TickingSensor("location.gnss")
    let error = await #expect(throws: Problem.self) {
      try await Bus(plugins: .linked([sensor]), clock: .virtual, files: files)
    }
    #expect(error?.code == .invalid)
    #expect(Folder.entry(at: "never-written") == .nothing)
  }

  @Test(
    "a second bus with the same file is refused with `inUse` while the first bus runs",
    arguments: ["state", "journal", "control", "services"])
  func inUse(file: String) async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    let path = folder.at(file)
    switch file {
    case "state": files.state = path
    case "journal": files.journal = path
    case "control": files.control = path
    default: break
    }
    let services = file == "services" ? path : nil
    let first = try await phone(files, services: services)
    let error = await #expect(throws: Problem.self) {
      try await phone(files, services: services)
    }
    #expect(
      error?.code == .inUse && error?.cause.contains("is using it") == true, "\(String(describing: error))")
    #expect(error?.remedy.contains("--") == false, "an app has no options")
    await first.close()
    await (try phone(files, services: services)).close()
  }

  @Test("a changed watched policy comes into force; a change with errors is reported and has no effect")
  func watched() async throws {
    let folder = TemporaryFolder()
    folder.write("trail.stint", trail(1))
    var files = Bus.Files()
    files.policies = folder.at("trail.stint")
    let events = Monitor<[String]>([])
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

  @Test("a program at the socket and the app are clients of one bus; each name has one owner")
  func socket() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("control")
    func next(_ lines: Lines) async throws -> String? {
      try await Spawner.runOnThread { Result { () throws(Problem) in try lines.lines.next() } }.get()
    }
    let bus = try await phone(files)
    let app = try await bus.attach("trail-app", authorized: .always)
    _ = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
    let lines = Lines(lines: try ControlLines(at: folder.at("control")))
    try lines.lines.send(#"{"attach":{"name":"program"}}"#)
    #expect(try await next(lines)?.contains("attached") == true)
    try lines.lines.send(#"{"request":{"id":1,"kind":"updates","accuracy":"10 m"}}"#)
    #expect(try await next(lines) == #"{"accepted":{"id":1}}"#)
    try await bus.advance(by: .seconds(300))
    var line = try await next(lines)
    while let text = line, !text.contains("fixes") { line = try await next(lines) }
    #expect(line?.contains("location.gnss") == true)

    try lines.lines.send(#"{"request":{"id":2,"kind":"transfers"}}"#)
    while let text = line, !text.contains(#""id":2"#) { line = try await next(lines) }
    #expect(line?.contains("nothing carries out the transfers of programs") == true)

    let taken = await #expect(throws: Problem.self) {
      try await bus.attach("program", authorized: .always)
    }
    #expect(taken?.code == .inUse)
    let other = Lines(lines: try ControlLines(at: folder.at("control")))
    try other.lines.send(#"{"attach":{"name":"trail-app"}}"#)
    #expect(try await next(other)?.contains(#""code":"taken""#) == true)
    // A detached client of the app keeps its name, because a later process of the app gets its notices.
    await app.detach()
    let later = Lines(lines: try ControlLines(at: folder.at("control")))
    try later.lines.send(#"{"attach":{"name":"trail-app"}}"#)
    #expect(try await next(later)?.contains(#""code":"taken""#) == true)
    _ = try await bus.attach("trail-app", authorized: .always)
    await bus.close()
    while let text = line, !text.contains("ended") { line = try await next(lines) }
    #expect(line == #"{"ended":{"id":1,"reason":"closed"}}"#)
    #expect(Folder.entry(at: folder.at("control")) == .nothing)
  }

  /// The loop of the bus waits while another program attaches, so the end of a connection and the first line
  /// of the next connection arrive together.
  @Test("a killed program attaches again at once under its name; a second running program does not")
  func comesBack() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("control")
    let isBlocked = Monitor<Bool?>(nil)
    let phone = try ReferencePhone(scenario: "day-hike")
    let bus = try await Bus(
      plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart), files: files,
      onEvent: { event in
        guard event.text.contains("“blocker” attached") else { return }
        isBlocked.changeForAll { $0 = true }
        _ = isBlocked.wait { $0 == false ? true : nil }
      })
    let path = folder.at("control")
    @Sendable func attach(_ lines: ControlLines, _ name: String = "program") throws(Problem) {
      try lines.send(#"{"attach":{"name":"\#(name)"}}"#)
    }
    let answers = try await Spawner.runOnThread {
      Result { () throws(Problem) -> [String?] in
        var holder: ControlLines? = try ControlLines(at: path)
        if let holder { try attach(holder) }
        let first = try holder?.next()
        let second = try ControlLines(at: path)
        try attach(second)
        let refused = try second.next()
        let next = try ControlLines(at: path)
        let blocker = try ControlLines(at: path)
        try attach(blocker, "blocker")
        _ = isBlocked.wait { $0 == true ? true : nil }
        holder = nil
        try attach(next)
        isBlocked.changeForAll { $0 = false }
        return [first, refused, try next.next()]
      }
    }.get()
    #expect(answers[0]?.contains(#"{"attached""#) == true)
    #expect(answers[1]?.contains(#""code":"taken""#) == true, "\(answers)")
    #expect(answers[2]?.contains(#"{"attached""#) == true, "\(answers)")
    await bus.close()
  }

  @Test("a load during the close of a bus either succeeds or throws “closed”")
  func closing() async throws {
    for round in 0..<20 {
      let (bus, trail) = (try await phone(Bus.Files()), trail(round + 1))
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
