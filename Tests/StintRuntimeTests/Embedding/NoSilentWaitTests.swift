import Stint
import StintModel
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

/// The errors and statuses that a reader gets when no samples arrive.
@Suite struct NoSilentWaitTests {
  private static let pause = """
    policy "p" version 1
    use location.gnss as gps
    rule rest while app.state is background { pause gps }
    """

  private func bus(
    _ gnss: TickingSensor? = nil,
    onOrder: (@Sendable (String, String, any ServiceOrder) -> Void)? = nil
  ) async throws -> (bus: Bus, app: Client, gnss: TickingSensor) {
    let gnss = try gnss ?? TickingSensor("location.gnss")
    let bus = try await Bus(plugins: .linked([gnss]), clock: .virtual, onOrder: onOrder)
    return (bus, try await bus.attach("app", authorized: .always), gnss)
  }

  @Test("G05: a demand on a device without linked code fails at once, with the reason")
  func missingCode() async throws {
    let folder = TemporaryFolder()
    folder.makeFolder("gnss")
    folder.write("gnss/manifest.json", ReferencePhone.manifestText("location.gnss"))
    let bus = try await Bus(plugins: .directory(folder.path), clock: .virtual)
    let app = try await bus.attach("app", authorized: .always)
    let demand = await #expect(throws: Problem.self) {
      try await app.withDemand(.location(accuracy: .meters(10))) { batches in for try await _ in batches {} }
    }
    #expect(demand?.code == .unavailable)
    #expect(demand?.description.contains("its code is not linked") == true, "\(demand?.description ?? "")")
    let fix = await #expect(throws: Problem.self) { try await app.ask("here", for: FixRequest()) }
    #expect(fix?.code == .unavailable)
    #expect(fix?.description.contains("its code is not linked") == true, "\(fix?.description ?? "")")
    // The failed call leaves no demand on the device.
    #expect(await bus.why("location.gnss").contains("no client"))
    await bus.close()
  }

  @Test("the first event of a demand is a status, also when samples were lost before it was read")
  func statusFirst() async throws {
    let (bus, app, _) = try await bus()
    try await app.withDemand(.samples(of: "location.gnss", every: .seconds(1))) { batches in
      try await bus.advance(by: .seconds(1500))
      var events = batches.events.makeAsyncIterator()
      guard case .status(.served(by: "location.gnss", _, _))? = try await events.next() else {
        Issue.record("the first event is no status")
        return
      }
      guard case .lost(let samples)? = try await events.next() else {
        Issue.record("the second event is no loss")
        return
      }
      #expect(samples == batches.lost && samples > 400)
    }
    await bus.close()
  }

  @Test("a fact without new values has a reason: no demand, a rule, a missing device or no publisher")
  func idleFacts() async throws {
    let gnss = try TickingSensor("location.gnss")
    let bus = try await Bus(
      plugins: .linked([gnss]), clock: .virtual, facts: [AppFact("hike.left", .quantity(unit: "h"))])
    let app = try await bus.attach("app", authorized: .always)
    func reason(_ fact: String) async -> String? {
      await bus.facts().first { $0.name == fact }.flatMap(\.idleReason)
    }
    let values = try await bus.values(of: "location.gnss.speed")
    #expect(
      await reason("location.gnss.speed") == "location.gnss is off, because no demand and no rule uses it")
    #expect(await reason("hike.left") == "no client has published it")
    try await app.publish("hike.left", .quantity(1, unit: "h"))
    #expect(await reason("hike.left") == nil)
    try await bus.load(text: Self.pause)
    try await app.withDemand(.samples(of: "location.gnss")) { _ in
      #expect(await reason("location.gnss.speed") == nil)
      await app.setPresence(.background)
    }
    try await app.withDemand(.samples(of: "location.gnss", background: true)) { _ in
      #expect(await reason("location.gnss.speed") == "location.gnss is off, because of p/rest")
      await gnss.report(isAvailable: false, at: .epoch)
      try await bus.advance(by: .seconds(1))
      #expect(await reason("location.gnss.speed") == "location.gnss is not available")
    }
    withExtendedLifetime(values) {}
    await bus.close()
  }

  @Test("G05: a reader of batches gets an error when its device is removed")
  func removed() async throws {
    let (bus, app, gnss) = try await bus()
    let error = await #expect(throws: Problem.self) {
      try await app.withDemand(.location(accuracy: .meters(10))) { batches in
        try await bus.advance(by: .seconds(1))
        await gnss.report(isAvailable: false, at: .epoch + .seconds(1))
        for try await _ in batches {}
      }
    }
    #expect(error?.code == .unavailable)
    #expect(error?.description.contains("location.gnss is not available") == true)
    await bus.close()
  }

  @Test("G05: a reader of events gets the status of its demand in order, with the names of rules")
  func events() async throws {
    let (bus, app, gnss) = try await bus()
    try await bus.load(text: Self.pause)
    let lines = try await app.withDemand(.location(accuracy: .meters(10), background: true)) { batches in
      var reader = batches.events.makeAsyncIterator()
      var lines: [String] = []
      func read(_ count: Int) async throws {
        for _ in 0..<count {
          switch try await reader.next() {
          case .batch(let batch): lines.append("batch \(batch.samples.count)")
          case .status(let status): lines.append("\(status)")
          case .lost(let count): lines.append("lost \(count)")
          case nil: lines.append("end")
          }
        }
      }
      try await bus.advance(by: .seconds(1))
      try await read(2)
      await app.setPresence(.background)
      try await bus.advance(by: .seconds(1))
      try await read(1)
      await app.setPresence(.foreground)
      try await bus.advance(by: .seconds(1))
      await gnss.report(isAvailable: false, at: .epoch + .seconds(3))
      try await bus.advance(by: .seconds(1))
      try await read(3)
      return lines
    }
    #expect(
      lines == [
        #"served(by: "location.gnss", rules: [], until: nil)"#, "batch 1",
        #"paused(rules: ["p/rest"], until: nil)"#,
        #"served(by: "location.gnss", rules: [], until: nil)"#, "batch 1",
        #"unavailable(reason: "location.gnss is not available", until: nil)"#,
      ])
    await bus.close()
  }

  @Test("G05: a client gets a status when a rule pauses its service and when the service continues")
  func service() async throws {
    let (bus, app, _) = try await bus()
    try await bus.load(text: Self.pause)
    let request = LocationUpdates(accuracy: .meters(10), background: true)
    let notices = try await app.ask("way", for: request)
    await app.setPresence(.background)
    await app.setPresence(.foreground)
    await app.end("way")
    var told: [DemandStatus] = []
    for await notice in notices { if let status = notice as? DemandStatus { told.append(status) } }
    #expect(told == [.paused(rules: ["p/rest"]), .served(by: "location.gnss", rules: [])])
    await bus.close()
  }

  @Test("G05: a session of transfers without a radio or without a carrier is refused")
  func carrier() async throws {
    let (noRadio, app, _) = try await bus(onOrder: { _, _, _ in })
    let first = await #expect(throws: Problem.self) {
      try await app.ask("sync", for: TransferConfiguration())
    }
    #expect(first?.code == .unavailable)
    #expect(first?.description.contains("no radio") == true)
    await noRadio.close()
    let phone = try ReferencePhone(
      BuiltInScenarios.scenario(named: "day-hike"), seed: 1, meter: EnergyMeter())
    let noCarrier = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual)
    let mail = try await noCarrier.attach("mail", authorized: .always)
    let second = await #expect(throws: Problem.self) {
      try await mail.ask("sync", for: TransferConfiguration())
    }
    #expect(second?.code == .unavailable)
    #expect(second?.description.contains("onOrder") == true)
    await noCarrier.close()
  }

  @Test("F10: a reader that was too slow gets the number of lost samples before the next batch")
  func lost() async throws {
    let (bus, app, _) = try await bus()
    try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      try await bus.advance(by: .seconds(1100))
      var reader = batches.events.makeAsyncIterator()
      guard case .status? = try await reader.next(), case .lost(samples: 76)? = try await reader.next(),
        case .batch(let batch)? = try await reader.next()
      else {
        Issue.record("the reader gets no count of lost samples")
        return
      }
      #expect(batch.samples[0].time == .seconds(77))
      #expect(batches.lost == 76)
    }
    let notices = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10), pausing: false))
    try await bus.advance(by: .seconds(1100))
    var reader = notices.makeAsyncIterator()
    let failure = await reader.next() as? ServiceFailure
    #expect(failure?.code == .lost)
    #expect(failure?.sentence.hasPrefix("\(notices.lost) notices") == true)
    guard case LocationNotice.fixes? = await reader.next() else {
      Issue.record("no fixes follow")
      return
    }
    await bus.close()
  }

  @Test("F10: a second reader of a demand gets an error, and a later reader continues")
  func secondReader() async throws {
    let (bus, app, _) = try await bus()
    try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      let read = Locked(0)
      let first = Task {
        for try await _ in batches {
          read.withLock { $0 += 1 }
          if read.withLock({ $0 }) == 10 { return }
        }
      }
      try await bus.advance(by: .seconds(1))
      while read.withLock({ $0 }) == 0 { await Task.yield() }
      // The first reader is in its loop until its tenth batch.
      let error = await #expect(throws: Problem.self) {
        for try await _ in batches { Issue.record("two readers share the batches") }
      }
      #expect(error?.code == .hasReader)
      try await bus.advance(by: .seconds(10))
      try await first.value
      try await bus.advance(by: .seconds(1))
      for try await _ in batches { break }
    }
    await bus.close()
  }

  @Test("F10: a second reader of notices gets one failure, and then its sequence ends")
  func secondNoticeReader() async throws {
    let (bus, app, _) = try await bus()
    let notices = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10), pausing: false))
    try await bus.advance(by: .seconds(2))
    var first = notices.makeAsyncIterator()
    _ = await first.next()
    let same = await app.notices(of: "way")
    var told: [ServiceFailure.Code] = []
    for await notice in same { told.append((notice as? ServiceFailure)?.code ?? .invalid) }
    #expect(told == [.hasReader])
    #expect(await first.next() != nil)
    await bus.close()
  }
}
