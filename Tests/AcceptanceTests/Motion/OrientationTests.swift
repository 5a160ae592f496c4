import StintModel
import StintServices
import StintUnits
import Testing

/// Tests the notices about the orientation. A client requests separately that notices are generated and that
/// it receives them.
@Suite(.checkedPhones) struct OrientationTests {
  private static let part = MotionLaboratory.accelerometer

  private func phone(clients: [ClientID] = ["app"], policy: String = "") async throws -> Phone {
    let phone = try await MotionLaboratory.phone([Self.part], clients: clients, policy: policy)
    for client in clients { await phone.ask(client, "turn", OrientationRequest()) }
    return phone
  }

  private func tell(_ phone: Phone, _ commands: OrientationCommand..., client: ClientID = "app") async {
    for command in commands { await phone.command(client, "turn", command) }
  }

  private func turns(_ phone: Phone) -> [Orientation] {
    phone.notices(OrientationNotice.self, for: "app").compactMap { entry in
      if case .turned(let orientation) = entry.notice { orientation } else { nil }
    }
  }

  @Test("M01: the begin call powers the accelerometer at the same instant, before there is an observer")
  func begin() async throws {
    let phone = try await phone()
    await phone.run(until: 10)
    #expect(phone.states(of: Self.part).isEmpty)
    await tell(phone, .begin)
    #expect(phone.states(of: Self.part) == ["sampling 10"])
    await phone.expectInvariants()
  }

  @Test(
    "M01: a begin call does not change an accelerometer that is already on, and the caller shares its cost")
  func beginBeside() async throws {
    let phone = try await phone(clients: ["app", "game"])
    await phone.ask("game", "shake", MotionRequest(.acceleration, interval: .milliseconds(20)))
    await phone.run(until: 10)
    let before = phone.states(of: Self.part)
    let alone = await phone.ledger()
    await tell(phone, .begin)
    #expect(phone.states(of: Self.part) == before)
    await phone.run(until: 20)
    let shared = await phone.ledger()
    #expect(alone.byClient["app"] == nil)
    #expect(shared.byClient["app", default: .zero] > .zero)
    #expect(shared.byDevice[Self.part] == Energy(nanojoules: 500_000 * 20))
    await phone.expectInvariants()
  }

  @Test(
    "M02: notices need both generation and observation, power needs only generation",
    arguments: [(false, false), (false, true), (true, false), (true, true)])
  func combinations(begins: Bool, observes: Bool) async throws {
    let phone = try await phone()
    if observes { await tell(phone, .observe) }
    if begins { await tell(phone, .begin) }
    await phone.run(until: 100)
    #expect(turns(phone) == (begins && observes ? [.faceUp] : []))
    #expect(await phone.onTime(of: Self.part) == (begins ? 100 : 0))
    let warnings = phone.notices(OrientationNotice.self, for: "app").filter {
      if case .warning("W-UNHEARD", _) = $0.notice { true } else { false }
    }
    #expect(warnings.map(\.second) == (begins && !observes ? [60] : []))
  }

  @Test("M02: a rule stops the device after a minute without an observer, but not while there is an observer")
  func unheard() async throws {
    for observes in [false, true] {
      let phone = try await MotionLaboratory.phone(
        [Self.part],
        policy: """
          use motion.accelerometer as accel
          rule unobserved while (orientation.on and orientation.observers == 0) for 60 s { stop accel }
          """,
        declares: [
          FactSchema(path: "orientation.on", type: .boolean),
          FactSchema(path: "orientation.observers", type: .quantity(.none)),
        ])
      await phone.ask("app", "turn", OrientationRequest())
      await phone.run(until: 10)
      if observes { await tell(phone, .observe) }
      await tell(phone, .begin)
      await phone.run(until: 200)
      let onTime = await phone.onTime(of: Self.part)
      #expect(onTime == (observes ? 190 : 60), "\(onTime) \(phone.states(of: Self.part))")
    }
  }

  @Test(
    "M03: the removal of the observer ends notices, and the end of generation ends power, in either order")
  func ends() async throws {
    for commands in [
      [OrientationCommand.stopObserving], [.end], [.stopObserving, .end], [.end, .stopObserving],
      [.stopObserving, .stopObserving, .end],
    ] {
      let phone = try await phone()
      await tell(phone, .begin)
      await phone.run(until: 10)
      for command in commands { await phone.command("app", "turn", command) }
      await tell(phone, .observe)
      if commands.contains(.stopObserving) { await tell(phone, .stopObserving) }
      await phone.run(until: 30)
      #expect(await phone.isOn(Self.part) == !commands.contains(.end), "\(commands)")
      #expect(turns(phone).isEmpty, "\(commands)")
      #expect(phone.notices(ServiceFailure.self, for: "app").isEmpty)
      #expect(!phone.notices(OrientationNotice.self, for: "app").contains { $0.notice == .unbalancedEnd })
    }
  }

  @Test("M04: the accelerometer goes off only when it has no other use")
  func shared() async throws {
    let phone = try await phone(
      clients: ["app", "game"],
      policy: """
        use motion.accelerometer as accel
        require accel.on implies demanded(accel)
        """)
    await tell(phone, .begin)
    await phone.run(until: 10)
    await phone.ask("game", "shake", MotionRequest(.acceleration, interval: .milliseconds(500)))
    await phone.run(until: 20)
    await tell(phone, .end)
    let count = phone.samples("game", "shake").count
    await phone.run(until: 40)
    // The rate has fallen to that of the stream: two samples a second instead of five.
    #expect(phone.samples("game", "shake").count - count == 40)
    #expect(await phone.isOn(Self.part))
    let power = (await phone.ledger()).byDevice[Self.part, default: .zero]
    // The power is 50 uW plus 9 uW per hertz, for 20 s at 5 Hz and 20 s at 2 Hz.
    #expect(power == Energy(nanojoules: 20 * 95_000 + 20 * 68_000))
    await phone.end("game", "shake")
    #expect(await !phone.isOn(Self.part))
    #expect(phone.powerUps(of: Self.part) == 1)
    await phone.expectInvariants()
  }

  @Test("M05: begin calls nest: after three begin calls, the fourth end call is an error; a detach ends all")
  func nesting() async throws {
    let phone = try await phone()
    await tell(phone, .begin, .begin, .begin)
    await phone.run(until: 1)
    await tell(phone, .end, .end)
    await phone.run(until: 2)
    #expect(await phone.isOn(Self.part))
    await tell(phone, .end)
    #expect(await !phone.isOn(Self.part))
    await tell(phone, .end)
    #expect(await !phone.isOn(Self.part))
    #expect(phone.notices(OrientationNotice.self, for: "app").map(\.notice) == [.unbalancedEnd])
    await tell(phone, .begin, .begin)
    await phone.run(until: 3)
    #expect(await phone.isOn(Self.part))
    await phone.serve(.detach("app"))
    #expect(await !phone.isOn(Self.part))
    await phone.expectInvariants()
  }

  @Test(
    "M06: twenty flips of the view in ten seconds cause two power cycles at most; then the device is off"
  )
  func flips() async throws {
    let phone = try await phone(
      policy: """
        use motion.accelerometer as accel
        default accel { linger 2 s }
        """)
    for flip in 0..<20 {
      await phone.run(until: Double(flip) * 0.5)
      await tell(phone, flip % 2 == 0 ? .begin : .end)
    }
    await phone.run(until: 11)
    #expect(phone.powerUps(of: Self.part) <= 2)
    await phone.run(until: 71)
    #expect(await !phone.isOn(Self.part))
    #expect(await phone.onTime(of: Self.part) <= 12)
  }

  @Test("M06: a rule switches the device off when the view cannot rotate, despite the app's requests")
  func portrait() async throws {
    let facts = (0..<20).map { (Double($0) * 0.5, "view.rotatable", $0 % 2 == 0 ? "true" : "false") }
    let phone = try await MotionLaboratory.phone(
      [Self.part],
      policy: """
        use motion.accelerometer as accel
        rule r while not view.rotatable for 2 s { stop accel }
        """,
      declares: [FactSchema(path: "view.rotatable", type: .boolean)], facts: facts)
    await phone.ask("app", "turn", OrientationRequest())
    await tell(phone, .begin)
    await phone.run(until: 70)
    #expect(phone.powerUps(of: Self.part) == 1)
    #expect(await !phone.isOn(Self.part))
    #expect(await phone.onTime(of: Self.part) == 11.5)
  }
}
