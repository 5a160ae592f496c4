import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

/// Services that policies start and stop with a verb, on the simulated phone.
@Suite(.checkedPhones) struct ServiceWordTests {
  private static let places: [DeviceID] = [
    "location.gnss", "location.wifi", "location.cell", "motion.accelerometer", "host.processor", "host.app",
  ]

  private func acts(_ phone: Phone) -> [String] {
    phone.observer.everything.acts.map { "\($0.text) \(Quantity.number($0.second.rounded(.down)))" }
  }

  private func violations(_ phone: Phone) -> [String] { acts(phone).filter { $0.contains("violation") } }

  @Test("R05 R07: a rule watches visits; other rules launch an app on arrival and emit an event on departure")
  func visits() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(20), PlacesWorld.drive(900, heading: 0), PlacesWorld.rest(60)], devices: Self.places,
      policy: """
        use location.wifi as wifi
        rule watching always { watch visits on wifi }
        rule come when visit.arrived { launch "diary" }
        rule gone when visit.departed { emit "left" }
        """)
    await phone.run(until: 6000)
    let words = phone.observer.everything.acts.map(\.text)
    #expect(words.filter { $0.contains("come") }.count == 2)
    #expect(words.filter { $0.contains("gone") }.count == 1)
    let ledger = await phone.ledger()
    #expect(ledger.byClient["test"] ?? .zero > .zero)
    #expect(ledger.byRule[RuleID(policy: "test", rule: "watching")] ?? .zero > .zero)
    #expect(await phone.onTime(of: "location.gnss") == 0)
    await phone.expectInvariants()
  }

  @Test("R08: visits stop for all clients while a rule stops them, and resume afterwards")
  func stopVisits() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(300)], devices: Self.places,
      declares: [FactSchema(path: "diary.open", type: .boolean)],
      facts: [(0, "diary.open", "false"), (7200, "diary.open", "true")],
      policy: "rule r while not diary.open { stop visits }")
    await phone.attach("diary")
    await phone.ask("diary", "visits", VisitsRequest())
    await phone.run(until: 7199)
    #expect(phone.notices(VisitNotice.self, for: "diary").isEmpty)
    #expect(await phone.ledger().byService[.visits] ?? .zero == .zero)
    #expect(await phone.onTime(of: "motion.accelerometer") == 0)
    await phone.run(until: 14_400)
    #expect(phone.notices(VisitNotice.self, for: "diary").count == 1)
    await phone.expectInvariants()
  }

  @Test(
    "R10 R11 R15: rules read moves that one rule watches; after the end of that rule, moves use no energy"
  )
  func moves() async throws {
    let phone = try await Phone(
      [PlacesWorld.drive(3600, heading: 90), PlacesWorld.rest(6000)], devices: Self.places,
      declares: [FactSchema(path: "shift.on", type: .boolean)],
      facts: [(0, "shift.on", "true"), (1800, "shift.on", "false")],
      policy: """
        use location.cell as coarse
        rule r while shift.on { watch moves on coarse }
        rule moved when moves.changed { emit "moved" }
        rule seen while moves.watching { start coarse }
        """)
    await phone.run(until: 1799)
    let count = acts(phone).count
    #expect((2...6).contains(count))
    #expect(await phone.isOn("location.cell") || phone.observer.everything.samples["test"] ?? 0 > 0)
    await phone.run(until: 1900)
    let spent = await phone.ledger().byService[.moves] ?? .zero
    #expect(spent > .zero)
    await phone.run(until: 7200)
    #expect(acts(phone).count == count)
    #expect(await phone.ledger().byService[.moves] == spent)
    await phone.expectInvariants()
  }

  @Test("R04: a rule stops the significant moves of a client that loses the permission “always”")
  func permission() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(600)], devices: Self.places,
      policy: "rule r while not auth.location is always { stop visits  stop moves }")
    await phone.attach("app", .always)
    await phone.ask("app", "moves", MovesRequest())
    await phone.run(until: 3000)
    #expect(await phone.ledger().byService[.moves] ?? .zero > .zero)
    await phone.serve(.authorize("app", .whenInUse))
    await phone.run(until: 3060)
    let spent = await phone.ledger().byService[.moves]
    await phone.run(until: 20_000)
    #expect(await phone.ledger().byService[.moves] == spent)
  }

  @Test(
    "R14: a rule's watch causes at most 8 wake-ups in 7 h of rest; a heartbeat of 15 min causes 4 an hour",
    arguments: [false, true])
  func heartbeat(hasHeartbeat: Bool) async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(3000)], devices: Self.places,
      policy: """
        use location.wifi as coarse
        \(hasHeartbeat ? "default coarse { heartbeat 15 min  pause auto }" : "default coarse { pause auto }")
        rule r always { watch moves on coarse }
        require wakeups(coarse) <= 5 per h
        """)
    await phone.run(until: 3600)
    let before = await phone.host.snapshot.wakes
    await phone.run(until: 8 * 3600)
    let wakes = await phone.host.snapshot.wakes - before
    #expect(hasHeartbeat ? (27...29).contains(wakes) : wakes <= 8)
    #expect(violations(phone).isEmpty)
    await phone.expectInvariants()
  }

  @Test("R14: a policy can lengthen the period of a client's heartbeat, or disable the heartbeat")
  func clientHeartbeat() async throws {
    for (word, range) in [("1 h", 5...9), ("off", 0...0)] {
      let phone = try await Phone(
        [PlacesWorld.rest(3000)], devices: Self.places,
        policy: "use location.wifi as coarse\ndefault coarse { heartbeat \(word) }")
      await phone.attach("app")
      await phone.ask("app", "moves", MovesRequest(pausing: true))
      await phone.run(until: 8 * 3600)
      let beats = phone.notices(MoveNotice.self, for: "app").filter { $0.notice == .heartbeat }.count
      #expect(range.contains(beats), "\(word): \(beats)")
    }
  }

  @Test(
    "R12 X03: a requirement on the devices or energy of services is reported as violated only if it is false",
    arguments: [false, true])
  func requirements(isKept: Bool) async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(3000)], devices: Self.places,
      policy: """
        use location.wifi as wifi
        use location.gnss as gps
        rule a always { watch visits on wifi  watch moves on wifi }
        require moves.watching implies not used_by(\(isKept ? "gps" : "wifi"), moves)
        require energy(visits) \(isKept ? "<= energy(moves) + 100 J" : ">= 1000 J")
        """)
    await phone.run(until: 20_000)
    #expect(violations(phone).isEmpty == isKept)
    await phone.expectInvariants()
  }

  @Test("M01 M02: a rule starts orientation; another rule stops it after a minute without an observer")
  func orientation() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(600)], devices: ["motion.accelerometer", "host.app"],
      declares: [FactSchema(path: "view.rotatable", type: .boolean)],
      facts: [
        (0, "view.rotatable", "false"), (10, "view.rotatable", "true"), (500, "view.rotatable", "false"),
      ],
      policy: """
        rule r while view.rotatable { start orientation }
        rule unobserved while (orientation.on and orientation.observers == 0) for 60 s { stop orientation }
        """)
    await phone.run(until: 9)
    #expect(await !phone.isOn("motion.accelerometer"))
    await phone.run(until: 11)
    #expect(await phone.isOn("motion.accelerometer"))
    await phone.run(until: 600)
    let onTime = await phone.onTime(of: "motion.accelerometer")
    #expect(onTime == 60, "\(onTime) \(phone.states(of: "motion.accelerometer"))")
    await phone.expectInvariants()
  }

  @Test("M03 M06: a rule stops the orientation of clients, and allows it again afterwards")
  func stopOrientation() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(600)], devices: ["motion.accelerometer", "host.app"],
      declares: [FactSchema(path: "view.open", type: .boolean)],
      facts: [(0, "view.open", "true"), (60, "view.open", "false"), (90, "view.open", "true")],
      policy: "rule r while not view.open { stop orientation }")
    await phone.attach("app")
    await phone.ask("app", "turn", OrientationRequest())
    await phone.command("app", "turn", OrientationCommand.begin)
    await phone.command("app", "turn", OrientationCommand.observe)
    await phone.run(until: 120)
    #expect(await phone.onTime(of: "motion.accelerometer") == 90)
    await phone.expectInvariants()
  }

  @Test("M05: begin and end calls nest unless a policy disables nesting", arguments: ["on", "off"])
  func nesting(word: String) async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(600)], devices: ["motion.accelerometer"],
      policy: "default orientation { nested \(word) }")
    await phone.attach("app")
    await phone.ask("app", "turn", OrientationRequest())
    for _ in 1...3 { await phone.command("app", "turn", OrientationCommand.begin) }
    await phone.run(until: 10)
    await phone.command("app", "turn", OrientationCommand.end)
    await phone.run(until: 20)
    #expect(await phone.isOn("motion.accelerometer") == (word == "on"))
  }

  @Test(
    "a reload of an unchanged policy keeps the services of its rules; a reload of another policy ends them")
  func reload() async throws {
    let policy = "use location.wifi as wifi\nrule w always { watch moves on wifi }"
    let phone = try await Phone([PlacesWorld.rest(600)], devices: Self.places, policy: policy)
    await phone.run(until: 100)
    let before = phone.observer.everything.decisions.count
    try await phone.load(policy)
    #expect(phone.observer.everything.decisions.count == before)
    #expect(await phone.host.serviceBoard.runningServices.count == 1)
    try await phone.load("use location.wifi as wifi\nrule other while app.state is background { stop wifi }")
    #expect(await phone.host.serviceBoard.runningServices.isEmpty)
    #expect(await phone.host.serviceBoard.clients.isEmpty)
  }
}
