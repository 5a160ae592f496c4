import Stint
import StintSimulation
import Testing

/// Tests that every request either ends with a reason or reports why its client receives nothing.
@Suite struct StatusTests {
  private static let pausing = """
    policy "calm" version 1
    use location.gnss as gps
    rule rest while gps.accuracy < 1 km { pause gps }
    """

  @Test("G05: a request to a device whose code is not linked is refused, and the error states this reason")
  func missingCode() async throws {
    let folder = Folder()
    try folder.makeFolder("gnss")
    try folder.write("gnss/manifest.json", ReferencePhone.manifestText("location.gnss"))
    let bus = try await Bus(plugins: .directory(folder.path), clock: .virtual)
    let app = try await bus.attach("app", authorized: .always)
    let demand = await #expect(throws: Problem.self) {
      try await app.withDemand(.location(accuracy: .meters(10))) { batches in for try await _ in batches {} }
    }
    let fix = await #expect(throws: Problem.self) { try await app.ask("here", for: FixRequest()) }
    for problem in [demand, fix] {
      #expect(problem?.code == .unavailable)
      #expect(
        problem?.description.contains("its code is not linked") == true, "\(String(describing: problem))")
    }
    await bus.close()
  }

  @Test(
    "N01: transfers without a radio or without a carrier are refused, and the error names the missing part")
  func missingCarrier() async throws {
    for (devices, missing) in [(["location.gnss"], "no radio"), (["radio.cellular"], "carrier")] {
      let scenario = Scenario(
        name: "still", start: .epoch, duration: .hours(1), devices: devices.map { DeviceID($0) },
        origin: Kind.home)
      let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
      let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual)
      let app = try await bus.attach("app", authorized: .always)
      let problem = await #expect(throws: Problem.self) {
        try await app.ask("sync", for: TransferConfiguration())
      }
      #expect(problem?.code == .unavailable && problem?.cause.contains(missing) == true, "\(missing)")
      await bus.close()
    }
  }

  @Test(
    "G05: the status of a paused request contains the rule, in the app and at the socket",
    arguments: Entry.allCases)
  func paused(entry: Entry) async throws {
    try await Stage.with(entry, .allowed) { stage in
      let kind = try #require(Kind.all.first { $0.name == "updates" })
      #expect(try await stage.ask(kind, 1) == nil)
      try await stage.bus.advance(by: .seconds(120))
      #expect(try await stage.serves("location.gnss"))
      try await stage.bus.load(text: Self.pausing)
      try await stage.bus.advance(by: .seconds(1))
      let device = try #require(await stage.bus.devices().first { $0.name == "location.gnss" })
      let waiting = try #require(device.waiting.first { $0.client == stage.name })
      #expect(waiting.status == "paused" && waiting.rules == ["calm/rest"])
      if let program = stage.program {
        let status = try await program.line { $0.contains(#""status":"paused""#) }
        #expect(status.contains("calm/rest"), "\(status)")
      }
      #expect(await stage.bus.whyNot("location.gnss")?.contains("calm/rest") == true)
    }
  }

  @Test(
    "G05: a request in the background has the status “background”, in the app and at the socket",
    arguments: Entry.allCases)
  func background(entry: Entry) async throws {
    try await Stage.with(entry, .allowed) { stage in
      let kind = try #require(Kind.all.first { $0.name == "updates" })
      #expect(try await stage.ask(kind, 1) == nil)
      try await stage.set(.background)
      try await stage.bus.advance(by: .seconds(1))
      let device = try #require(await stage.bus.devices().first { $0.name == "location.gnss" })
      #expect(device.waiting.map(\.status) == ["background"])
      if let program = stage.program {
        _ = try await program.line { $0.contains(#""status":"background""#) }
      }
    }
  }

  @Test("a subscriber of updates gets each change of status and of the limiting rules once")
  func status() async throws {
    try await Stage.with(.app, .allowed) { stage in
      let notices = try await stage.app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
      try await stage.bus.advance(by: .seconds(60))
      for (rule, text) in [
        ("slow", "downgrade gps to 1 per 20 s"), ("rest", "pause gps"),
        ("rest", "downgrade gps to 1 per 10 s"), ("slow", "downgrade gps to 1 per 20 s"),
      ] {
        try await stage.bus.load(
          text: """
            policy "calm" version 1
            use location.gnss as gps
            rule \(rule) while app.state is foreground { \(text) }
            """)
        try await stage.bus.advance(by: .seconds(60))
      }
      await stage.app.end("way")
      var changes: [String] = []
      for await notice in notices {
        if case LocationNotice.fixes = notice { continue }
        changes.append("\(notice)")
      }
      #expect(
        changes == [
          #"served(by: "location.gnss", rules: ["calm/slow"], until: nil)"#,
          #"paused(rules: ["calm/rest"], until: nil)"#,
          #"served(by: "location.gnss", rules: ["calm/rest"], until: nil)"#,
          #"served(by: "location.gnss", rules: ["calm/slow"], until: nil)"#,
        ])
    }
  }

  @Test(
    "F10: a slow reader gets the number of lost samples before the next batch; other clients lose no sample")
  func slow() async throws {
    let phone = Stage.phone()
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let slow = try await bus.attach("slow", authorized: .always)
    let fast = try await bus.attach("fast", authorized: .always)
    try await slow.withDemand(.location(accuracy: .meters(10), every: .seconds(1))) { batches in
      let read = try await fast.withDemand(.location(accuracy: .meters(10), every: .seconds(1))) { others in
        async let flow: Void = bus.advance(by: .seconds(1_500))
        var numbers: [UInt64] = []
        for try await batch in others {
          numbers += batch.samples.map(\.sequence)
          if bus.now - phone.clockStart >= .seconds(1_490) { break }
        }
        try await flow
        return numbers
      }
      #expect(zip(read, read.dropFirst()).allSatisfy { $1 == $0 + 1 }, "the fast reader gets every sample")
      var reader = batches.events.makeAsyncIterator()
      guard case .status? = try await reader.next(), case .lost(let samples)? = try await reader.next() else {
        Issue.record("the count of lost samples does not follow the first status")
        return
      }
      #expect(samples > 300 && samples == batches.lost)
    }
    await bus.close()
  }

  @Test(
    "an empty folder and a policy whose device is missing are refused, and the error names the missing part")
  func policies() async throws {
    let folder = Folder()
    let bus = try await Bus(plugins: .linked([Ticker()]), clock: .virtual)
    let empty = await #expect(throws: Problem.self) { try await bus.load(policies: folder.path) }
    #expect(
      empty?.code == .unreadable && empty?.cause.contains("no policy") == true, "\(String(describing: empty))"
    )
    try folder.write(
      "other.stint",
      """
      policy "other" version 1
      use net.wifi as wifi
      rule rest while wifi.on { stop wifi }
      """)
    let unfit = await #expect(throws: Problem.self) { try await bus.load(policies: folder.path) }
    #expect(unfit?.description.contains("net.wifi") == true, "\(String(describing: unfit))")
    for text in ["use net.wifi as wifi", "use net.wifi as wifi\ndefault wifi { rate 1 per 5 min }"] {
      try folder.write("other.stint", "policy \"other\" version 1\n\(text)\n")
      let idle = await #expect(throws: Problem.self, "\(text)") { try await bus.load(policies: folder.path) }
      #expect(idle?.code == .noSuchDevice && idle?.cause.contains("net.wifi") == true, "\(text)")
    }
    let file = await #expect(throws: Problem.self) { try await bus.load(policies: folder.at("none.stint")) }
    #expect(file?.code == .unreadable)
    #expect(bus.policies.isEmpty)
    await bus.close()
  }
}
