import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite(.checkedPhones) struct UpdatesTests {
  private static let devices: [DeviceID] = ["location.gnss", "host.processor", "host.app"]
  private static let way = ServiceID("app", "way")

  @Test("L04: only permission requests prompt the user; 1000 requests prompt once and power no device")
  func permission() throws {
    var bench = try Bench()
    bench.attach("app", .undecided)
    for attempt in 0..<1000 {
      bench.ask(ServiceID("app", "may \(attempt)"), PermissionRequest(purpose: "to draw your way"))
      bench.ask(Self.way, LocationUpdates())
    }
    #expect(bench.journal == ["ask app"])
    #expect(bench.refusals.allSatisfy { $0.failure.code == .undecided } && bench.refusals.count == 1000)
    #expect(bench.notices.isEmpty)
    bench.serve(.authorize("app", .whenInUse))
    #expect(
      bench.notices(PermissionRequest.Answer.self)
        == Array(repeating: .init(.location, .whenInUse), count: 1000))
    #expect(bench.journal == ["ask app"], "the answer does not request a position")
    for _ in 0..<1000 {
      bench.ask(Self.way, LocationUpdates(accuracy: .meters(10)))
      bench.serve(.end(Self.way))
    }
    #expect(bench.journal.filter { $0 == "ask app" }.count == 1)
    #expect(bench.journal.dropFirst().allSatisfy { $0 == "on location.gnss" } && bench.journal.count == 1001)
  }

  @Test("L04: a denied client does not prompt the user again, and gets the denial at once")
  func denied() throws {
    var bench = try Bench()
    bench.attach("app", .denied)
    bench.ask(ServiceID("app", "may"), PermissionRequest(purpose: "to draw your way"))
    #expect(bench.refusals.map(\.failure.code) == [.denied])
    #expect(bench.journal.isEmpty)
    bench.attach("other", .undecided)
    bench.ask(ServiceID("other", "may"), PermissionRequest(purpose: "to draw your way"))
    bench.serve(.authorize("other", .denied))
    #expect(bench.notices(ServiceFailure.self, ServiceID("other", "may")).map(\.code) == [.denied])
    bench.ask(ServiceID("other", "again"), PermissionRequest(purpose: "to draw your way"))
    #expect(bench.journal == ["ask other"])
    #expect(bench.refusals.last?.failure.code == .denied)
  }

  @Test("L05: in random schedules no fix is delivered after a stop, and queued fixes are dropped")
  func stop() throws {
    var random = SeededRandom(5)
    var bench = try Bench()
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    bench.attach("app")
    var stops: [Instant] = []
    var lateFixes = 0
    let trials = Trials(10_000)
    for _ in trials.rounds {
      let heard = bench.notices.count
      bench.ask(Self.way, LocationUpdates(accuracy: .meters(10), pausing: false))
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        bench.run(for: .milliseconds(Int64.random(in: 1...1500, using: &random)))
        bench.fix(home)
      }
      let stopsTwice = Bool.random(using: &random)
      bench.serve(.end(Self.way))
      if stopsTwice { bench.serve(.end(Self.way)) }
      stops.append(bench.now)
      let countAtStop = bench.notices.count
      bench.run(for: .milliseconds(Int64.random(in: 0...2000, using: &random)))
      bench.fix(home)
      if bench.notices.count != countAtStop { lateFixes += 1 }
      #expect(bench.notices.count >= heard)
    }
    #expect(lateFixes == 0)
    #expect(
      !bench.isOn && bench.powerUps[Bench.gnss] == trials.count
        && bench.powerDowns[Bench.gnss] == trials.count)
    #expect(bench.lastOff[Bench.gnss] == stops.last)
  }

  @Test("L05: the receiver goes off when the linger time has passed after the stop")
  func stopOnPhone() async throws {
    let phone = try await Phone(
      devices: Self.devices,
      policy: """
        use location.gnss as gps
        default gps { linger 5 s }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 70.5)
    await phone.end("app", "way")
    await phone.run(until: 200)
    #expect(phone.states(of: "location.gnss").last == "off 75.5")
    #expect(phone.notices(LocationNotice.self, for: "app").allSatisfy { $0.second <= 70.5 })
    await phone.expectInvariants()
  }

  @Test("L05: a rule stops updates while it is in force")
  func stopRule() async throws {
    let phone = try await Phone(
      devices: Self.devices, declares: [FactSchema(path: "workout.active", type: .boolean)],
      facts: [
        (0, "workout.active", "true"), (60, "workout.active", "false"), (120, "workout.active", "true"),
      ],
      policy: """
        use location.gnss as gps
        rule r while not workout.active { stop gps }
        """)
    await phone.attach("app")
    await phone.run(until: 1)
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 180)
    #expect(
      phone.states(of: "location.gnss") == ["search 1", "track 48", "off 60", "search 120", "track 124"])
    let seconds = phone.notices(LocationNotice.self, for: "app").compactMap { entry in
      if case .fixes = entry.notice { entry.second } else { nil }
    }
    #expect(seconds.contains { $0 < 60 } && seconds.contains { $0 > 120 })
    #expect(!seconds.contains { $0 > 60 && $0 < 120 }, "a stopped stream gets no fixes")
  }

  @Test("L06: one fix every quarter of an hour costs only the energy of the searches")
  func sparse() async throws {
    let phone = try await Phone(devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "warm", FixRequest(accuracy: .meters(50)))
    await phone.run(until: 60)
    let warm = await phone.onTime(of: "location.gnss")
    let before = try #require(await phone.ledger().byDevice["location.gnss"])
    try await phone.load(
      """
      use location.gnss as gps
      rule r every 15 min flex 3 min { fix gps to 50 m timeout 60 s }
      """)
    await phone.run(until: 60 + 24 * 3600 + 240)
    let onTime = await phone.onTime(of: "location.gnss") - warm
    #expect((94 * 4.0...96 * 5.0).contains(onTime))
    let spent = try #require(await phone.ledger().byDevice["location.gnss"]) - before
    let expected = 96 * 4 * 0.075
    let joules = Double(spent.nanojoules) / 1e9
    #expect(abs(joules - expected) <= expected * 0.01, "\(joules) J instead of \(expected) J")
    await phone.expectInvariants()
  }

  @Test("L36: a filter of 10 m gives about 100 deliveries on a straight kilometre")
  func filter() async throws {
    let legs = [
      Leg(activity: .still, duration: .seconds(60), speed: 0, heading: 0),
      Leg(activity: .walking, duration: .of(seconds: 800), speed: 1.25, heading: 90),
    ]
    for seed in 1...6 as ClosedRange<UInt64> {
      let phone = try await Phone(legs, devices: Self.devices, seed: seed)
      await phone.attach("app")
      await phone.ask(
        "app", "way", LocationUpdates(accuracy: .meters(5), filter: .meters(10), pausing: false))
      await phone.run(until: 60 + 800)
      let fixes = phone.notices(LocationNotice.self, for: "app").flatMap { entry -> [Fix] in
        if case .fixes(let fixes) = entry.notice { fixes } else { [] }
      }
      // Each distance is measured from the last delivered fix, so a surplus beyond 10 m does not count for
      // the next delivery. The surplus comes from the errors of fixes and from the distance between two
      // fixes.
      #expect((88...102).contains(fixes.count))
      for (left, right) in zip(fixes, fixes.dropFirst()) {
        #expect(left.coordinate.distance(to: right.coordinate) >= 9.99)
      }
    }
  }

  @Test("L36: a 10 m filter passes about 100 of 801 exact fixes; a deferral with a filter ends at once")
  func exactFilter() throws {
    var bench = try Bench()
    bench.attach("app")
    bench.ask(Self.way, LocationUpdates(accuracy: .meters(5), filter: .meters(10), pausing: false))
    bench.ask(ServiceID("app", "all"), LocationUpdates(accuracy: .meters(5), pausing: false))
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    for second in 0...800 {
      bench.run(to: Bench.start + .seconds(Int64(second)))
      bench.fix(home.moved(north: 0, east: Double(second) * 1.25), speed: 1.25, moved: 1.25)
    }
    #expect((98...102).contains(bench.notices(LocationNotice.self, Self.way).count))
    #expect(bench.notices(LocationNotice.self, ServiceID("app", "all")).count == 801)
    bench.serve(.command(Self.way, LocationCommand.deferUpdates(7, distance: .meters(500))))
    #expect(bench.notices(LocationNotice.self, Self.way).last == .deferralEnded(7, .distanceFiltered))
    bench.ask(ServiceID("app", "wrong"), LocationUpdates(filter: .meters(-1)))
    #expect(bench.refusals.map(\.failure.code) == [.invalid])
  }

  @Test("L36: a filter of a policy also makes a deferral invalid, even before the first fix")
  func filterByPolicy() async throws {
    for second in [10.0, 100] {
      let phone = try await Phone(
        devices: Self.devices, facts: [(0, "app.state", "background")],
        policy: "use location.gnss as gps\ndefault gps { filter 10 m }")
      await phone.attach("app")
      await phone.ask("app", "way", LocationUpdates(accuracy: .meters(5), background: true, pausing: false))
      await phone.run(until: second)
      await phone.command("app", "way", LocationCommand.deferUpdates(7, distance: .meters(500)))
      await phone.run(until: second + 1)
      let ends = phone.notices(LocationNotice.self, for: "app").map(\.notice).filter { notice in
        if case .deferralEnded = notice { true } else { false }
      }
      #expect(ends == [.deferralEnded(7, .distanceFiltered)])
    }
  }
}
