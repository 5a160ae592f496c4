import Stint
import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// Each invalid input of an app gives a typed error. No invalid input traps or changes the state.
@Suite struct InvalidInputTests {
  private func bus(facts: [AppFact] = []) async throws -> Bus {
    try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual, facts: facts)
  }

  @Test(
    "X08: a demand with an invalid accuracy, age or period is refused as a bad request",
    arguments: [
      DemandRequest.location(accuracy: .meters(.nan)), .location(accuracy: .meters(.infinity)),
      .location(accuracy: .meters(0)), .location(accuracy: .meters(-5)),
      .location(accuracy: .meters(10), maxAge: .seconds(-1)),
      .location(accuracy: .meters(10), every: .seconds(-1)),
    ])
  func demands(request: DemandRequest) async throws {
    let bus = try await bus()
    let app = try await bus.attach("app", authorized: .always)
    let error = await #expect(throws: Problem.self) { try await app.withDemand(request) { _ in } }
    #expect(error?.code == .invalid)
    await bus.close()
  }

  @Test(
    "X08: a client or service name that is empty, too long or not one line is refused",
    arguments: ["", "a\nb", "a\r\nb", "a\u{0}", "a\u{2028}b", "\u{85}", String(repeating: "a", count: 257)])
  func names(name: String) async throws {
    let bus = try await bus()
    let error = await #expect(throws: Problem.self) { try await bus.attach(name, authorized: .always) }
    #expect(error?.code == .invalid)
    let app = try await bus.attach("app", authorized: .always)
    let refusal = await #expect(throws: Problem.self) { try await app.ask(name, for: LocationUpdates()) }
    #expect(refusal?.code == .invalid)
    await bus.close()
  }

  @Test("X08: location updates with a period above 70 years are refused")
  func impossible() async throws {
    let bus = try await bus()
    let app = try await bus.attach("app", authorized: .always)
    let error = await #expect(throws: Problem.self) {
      try await app.ask("way", for: LocationUpdates(accuracy: .meters(10), period: .hours(24 * 36_500)))
    }
    #expect(error?.code == .invalid)
    await bus.close()
  }

  @Test("X08: a services file in a missing folder is refused when the bus is created")
  func missingFolder() async throws {
    let error = await #expect(throws: Problem.self) {
      try await Bus(
        plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual,
        services: "/nowhere/services.json")
    }
    #expect(error?.code == .unreadable)
  }

  private static let far = Duration.seconds(Int64.max)

  @Test(
    "each time of a request is at most 70 years",
    arguments: [
      LocationUpdates(period: far), LocationUpdates(maxAge: far),
      LocationUpdates(retry: RetrySchedule(attemptDuration: far, wait: .seconds(1), longestWait: far)),
      LocationUpdates(
        retry: RetrySchedule(attemptDuration: .seconds(1), wait: .seconds(1), longestWait: far)),
      FixRequest(timeout: far), FixRequest(maxAge: far), MovesRequest(maxAge: far),
      MovesRequest(heartbeat: far),
      MotionRequest(.acceleration, interval: far),
      MotionRequest(.acceleration, .push(latency: far), interval: .seconds(1)),
      OrientationRequest(interval: far),
      RegionsRequest([
        Region("a", centre: Coordinate(latitude: 47, longitude: 8)!, radius: .meters(150), exitAfter: far)
      ]),
      BeaconsRequest([BeaconRegion("a", identity: "f7826da6", exitAfter: far)]),
      PackRequest(items: 1, itemBytes: 1, lifetime: far),
    ] as [any ServiceRequest])
  func times(_ request: any ServiceRequest) throws {
    let failure = try #require(request.rejectionReason, "\(request)")
    #expect(failure.code == .invalid && failure.sentence.contains("70 years"), "\(failure)")
  }

  @Test("X08: each time of a session of transfers is at most 70 years")
  func transferTimes() throws {
    var windows = TransferConfiguration()
    windows.window = Self.far
    var settling = TransferConfiguration()
    settling.settling = Self.far
    var slow = TransferConfiguration()
    slow.slowLink = SlowLinkLimits(below: 1, release: 2, span: Self.far)
    var probe = TransferConfiguration()
    probe.slowLink = SlowLinkLimits(below: 1, release: 2, probe: Self.far)
    var first = TransferConfiguration()
    first.retries = RetryPlan(first: Self.far)
    var cap = TransferConfiguration()
    cap.retries = RetryPlan(cap: Self.far)
    for configuration in [windows, settling, slow, probe, first, cap] {
      #expect(configuration.rejectionReason?.sentence.contains("70 years") == true, "\(configuration)")
    }
  }

  private static let requests: [any ServiceRequest] = {
    let here = Coordinate(latitude: 47, longitude: 8)!
    return [
      LocationUpdates(accuracy: .meters(.nan)), LocationUpdates(filter: .meters(.infinity)),
      LocationUpdates(filter: .meters(-1)),
      LocationUpdates(period: .seconds(-1)), LocationUpdates(maxAge: .seconds(-1)),
      FixRequest(accuracy: .meters(.nan)), FixRequest(timeout: .zero), FixRequest(maxAge: .seconds(-1)),
      MovesRequest(maxAge: .seconds(-1)), MovesRequest(accuracy: .meters(.nan)),
      MovesRequest(filter: .meters(-1)), MovesRequest(heartbeat: .seconds(1e20)),
      VisitsRequest(receivers: ["a\nb"]),
      MotionRequest(.acceleration, interval: .zero),
      MotionRequest(.acceleration, .push(latency: .seconds(-1)), interval: .seconds(1)),
      OrientationRequest(interval: .seconds(-1)),
      RegionsRequest([Region("home", centre: here, radius: .meters(.nan))]),
      RegionsRequest([Region("home", centre: here, radius: .meters(.infinity))]),
      RegionsRequest([Region("ho\nme", centre: here, radius: .meters(100))]),
      BeaconsRequest([BeaconRegion("dock", identity: "")]), BeaconsRequest([BeaconRegion("", identity: "a")]),
      BeaconsRequest([BeaconRegion("dock", identity: "a.1")]),
      BeaconsRequest([BeaconRegion("dock", identity: "a b")]),
      BeaconsRequest([BeaconRegion("dock", identity: "ä")]),
      RangingRequest(BeaconRegion("dock", identity: "a\n")),
    ]
  }()

  @Test(
    "X08: a service with an invalid number, name or beacon identity is refused as invalid", arguments: 0..<25)
  func services(number: Int) async throws {
    try #require(Self.requests.count == 25)
    let bus = try await bus()
    let app = try await bus.attach("app", authorized: .always)
    let request = Self.requests[number]
    let error = await #expect(throws: Problem.self, "\(request)") { try await app.ask("it", for: request) }
    #expect(error?.code == .invalid, "\(request)")
    await bus.close()
  }

  @Test("X08: each invalid command to location updates throws, and the reader gets no notice of it")
  func commands() async throws {
    let bus = try await bus()
    let app = try await bus.attach("app", authorized: .always)
    let notices = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10), filter: .meters(5)))
    for command in [
      LocationCommand.setFilter(.meters(.nan)), .setFilter(.meters(-1)), .setAccuracy(.meters(.infinity)),
      .deferUpdates(1, distance: .meters(.nan)), .deferUpdates(1, distance: .meters(-20)),
    ] {
      let problem = await #expect(throws: Problem.self) { try await app.send("way", command) }
      #expect(problem?.code == .invalid && problem?.place.name == "way", "\(command)")
    }
    await app.end("way")
    for await notice in notices { #expect(!(notice is ServiceFailure)) }
    await bus.close()
  }

  @Test("X08: without a running service or an attached client, every command except a report is refused")
  func lateCommands() async throws {
    let bus = try await bus()
    let app = try await bus.attach("app", authorized: .always)
    _ = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
    try await app.send("way", LocationCommand.setPausing(false))
    await app.end("way")
    func code(_ name: String) async -> Problem.Code? {
      await #expect(throws: Problem.self) { try await app.send(name, LocationCommand.setPausing(true)) }?
        .code
    }
    #expect(await code("way") == .over)
    #expect(await code("never") == .over)
    try await app.send("never", TransferCommand.report("task", attempt: 1, .reply(200)))
    await app.detach()
    #expect(await code("way") == .detached)
    await bus.close()
    #expect(await code("way") == .closed)
  }

  @Test("X08: a command of another kind is refused with the name of the accepted kind; the service continues")
  func otherCommands() async throws {
    let bus = try await bus()
    let app = try await bus.attach("app", authorized: .always)
    _ = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
    _ = try await app.ask("here", for: FixRequest())
    let commands: [any ServiceCommand] = [
      MotionCommand.read, OrientationCommand.begin, TransferCommand.cancel("a"), VisitCommand.listen("list"),
    ]
    func refuse(_ command: some ServiceCommand, _ name: String) async -> Problem? {
      await #expect(throws: Problem.self, "\(command)") { try await app.send(name, command) }
    }
    for command in commands {
      let problem = await refuse(command, "way")
      #expect(problem?.code == .invalid && problem?.cause.contains("only “LocationCommand”") == true)
    }
    let problem = await refuse(LocationCommand.setPausing(true), "here")
    #expect(problem?.code == .invalid && problem?.cause.contains("no command") == true)
    try await app.send("way", LocationCommand.setPausing(false))
    await bus.close()
  }

  @Test("X08: publishing a number that is not finite is refused, and the fact keeps its value")
  func facts() async throws {
    let bus = try await bus(facts: [AppFact("hike.remaining", .quantity(unit: "m"))])
    let app = try await bus.attach("app", authorized: .always)
    let folder = TemporaryFolder()
    folder.write(
      "rest.stint",
      """
      policy "rest" version 1
      use location.gnss as gps required
      rule rest while hike.remaining > 5 km { pause gps }
      """)
    try await bus.load(policies: folder.at("rest.stint"))
    try await app.publish("hike.remaining", .quantity(6, unit: "km"))
    for number in [Double.nan, .infinity, -.infinity] {
      let error = await #expect(throws: Problem.self) {
        try await app.publish("hike.remaining", .quantity(number, unit: "m"))
      }
      #expect(error?.code == .badFact)
    }
    let why = try await app.withDemand(.location(accuracy: .meters(10))) { _ in await bus.why("location.gnss")
    }
    #expect(why.contains("by rest/rest"), "\(why)")
    await bus.close()
  }

  @Test("X08: loading a folder without policies is refused, and the loaded policies stay in force")
  func emptyFolder() async throws {
    let bus = try await bus()
    let app = try await bus.attach("app", authorized: .always)
    let (folder, empty) = (TemporaryFolder(), TemporaryFolder())
    folder.write(
      "rest.stint",
      """
      policy "rest" version 1
      use location.gnss as gps required
      schedule early = 00:00..07:00
      rule rest while time in early { pause gps }
      """)
    try await bus.load(policies: folder.path)
    let error = await #expect(throws: Problem.self) { try await bus.load(policies: empty.path) }
    #expect(error?.code == .unreadable && error?.description.contains("no policy in this folder") == true)
    let why = try await app.withDemand(.location(accuracy: .meters(10))) { _ in await bus.why("location.gnss")
    }
    #expect(why.contains("by rest/rest"), "\(why)")
    await bus.close()
  }
}
