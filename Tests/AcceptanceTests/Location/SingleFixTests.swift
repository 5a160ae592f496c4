import StintLanguage
import StintModel
import StintServices
import StintUnits
import Testing

@Suite("Requests for one fix", .checkedPhones) struct SingleFixTests {
  private static let devices: [DeviceID] = ["location.gnss", "host.processor", "host.app"]
  private static let linger = """
    use location.gnss as gps
    default gps { linger 5 s }
    """

  private func answers(_ phone: Phone, _ name: String? = nil) -> [(second: Double, notice: LocationNotice)] {
    phone.notices(LocationNotice.self, for: "app", name)
  }

  @Test("L01: a request for one fix gets one answer, at 47 s; the receiver goes off after the linger time")
  func once() async throws {
    let phone = try await Phone(devices: Self.devices, policy: Self.linger)
    await phone.attach("app")
    await phone.ask("app", "here", FixRequest(accuracy: .meters(50)))
    await phone.run(until: 47 + 3600)
    let heard = answers(phone)
    #expect(heard.count == 1)
    #expect(heard.first?.second == 47)
    guard case .answer(let fix)? = heard.first?.notice else {
      Issue.record("no answer")
      return
    }
    #expect(fix.accuracy <= 50 && !fix.isCached)
    #expect(phone.states(of: "location.gnss") == ["search 0", "track 47", "off 52"])
    #expect(await phone.onTime(of: "location.gnss") == 52)
    await phone.expectInvariants()
  }

  @Test("L01: without a linger the receiver is on exactly until the first fix")
  func exactly() async throws {
    let phone = try await Phone(devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "here", FixRequest(accuracy: .meters(50)))
    await phone.run(until: 3600)
    #expect(await phone.onTime(of: "location.gnss") == 47)
  }

  @Test("L01: two overlapping requests share one search; a request while a stream runs costs no extra energy")
  func shared() async throws {
    let phone = try await Phone(devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "one", FixRequest(accuracy: .meters(50)))
    await phone.run(until: 20)
    await phone.ask("app", "two", FixRequest(accuracy: .meters(50)))
    await phone.run(until: 100)
    #expect(phone.states(of: "location.gnss") == ["search 0", "track 47", "off 47"])
    #expect(answers(phone).map(\.second) == [47, 47])

    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 200)
    let before = await phone.ledger().byDevice["location.gnss"]
    await phone.ask("app", "three", FixRequest(accuracy: .meters(50)))
    await phone.run(until: 201)
    let spent = try #require(await phone.ledger().byDevice["location.gnss"]) - (before ?? .zero)
    #expect(spent == Energy(nanojoules: 60_000_000), "one second of tracking, as without the request")
    #expect(answers(phone, "three").map(\.second) == [201])
  }

  @Test("L01: neither a fix from before the request nor a coarse fix answers a request")
  func cached() throws {
    var bench = try Bench()
    bench.attach("app")
    let way = ServiceID("app", "way")
    bench.ask(way, LocationUpdates(accuracy: .meters(10), pausing: false))
    try bench.publishFact("app.state", "background")
    bench.serve(.command(way, LocationCommand.setBackground(true)))
    bench.serve(.command(way, LocationCommand.deferUpdates(1)))
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    for _ in 0..<5 {
      bench.run(for: .seconds(1))
      bench.fix(home)
    }
    let here = ServiceID("app", "here")
    bench.run(for: .milliseconds(500))
    bench.ask(here, FixRequest(accuracy: .meters(20), background: true))
    #expect(bench.notices(LocationNotice.self, here).isEmpty, "five old fixes came, and none is an answer")
    bench.run(for: .milliseconds(500))
    bench.fix(home, accuracy: 40)
    #expect(bench.notices(LocationNotice.self, here).isEmpty)
    bench.run(for: .seconds(1))
    bench.fix(home, accuracy: 15)
    #expect(bench.notices(LocationNotice.self, here).count == 1)
  }

  @Test("L02: while the user has not decided on permission, a request powers nothing and ends at its timeout")
  func undecided() async throws {
    let phone = try await Phone(devices: Self.devices)
    await phone.attach("app", .undecided)
    await phone.ask("app", "here", FixRequest(accuracy: .meters(50), timeout: .seconds(10)))
    await phone.run(until: 100)
    let heard = answers(phone)
    #expect(heard.map(\.second) == [10])
    guard case .unanswered(let failure, best: nil)? = heard.first?.notice else {
      Issue.record("no failure")
      return
    }
    #expect(failure.code == .undecided)
    #expect(await phone.onTime(of: "location.gnss") == 0)
  }

  @Test("L02: a permission one millisecond before the timeout powers the receiver for that millisecond")
  func lateYes() async throws {
    let phone = try await Phone(devices: Self.devices)
    await phone.attach("app", .undecided)
    await phone.ask("app", "here", FixRequest(accuracy: .meters(50), timeout: .seconds(10)))
    await phone.run(until: 9.999)
    await phone.serve(.authorize("app", .whenInUse))
    await phone.run(until: 100)
    guard case .unanswered(let failure, best: nil)? = answers(phone).first?.notice else {
      Issue.record("no failure")
      return
    }
    #expect(failure.code == .timedOut)
    #expect(abs(await phone.onTime(of: "location.gnss") - 0.001) < 1e-6)
  }

  @Test("L02: a denial during the search ends the request at once, with one failure")
  func no() async throws {
    let phone = try await Phone(devices: Self.devices)
    await phone.attach("app", .whenInUse)
    await phone.ask("app", "here", FixRequest(accuracy: .meters(50)))
    await phone.run(until: 20)
    await phone.serve(.authorize("app", .denied))
    await phone.run(until: 100)
    #expect(phone.notices(ServiceFailure.self, for: "app").map(\.notice.code) == [.denied])
    #expect(answers(phone).isEmpty)
    #expect(await phone.onTime(of: "location.gnss") == 20)
  }

  @Test("L02: indoors a request fails at its timeout; in a street the best candidate comes with the failure")
  func partial() async throws {
    for sky in [Leg.Sky.indoors, .street] {
      let legs = [Leg(activity: .still, duration: .hours(1), speed: 0, heading: 0, sky: sky)]
      let phone = try await Phone(legs, devices: Self.devices)
      await phone.attach("app")
      await phone.ask("app", "here", FixRequest(accuracy: .meters(12), timeout: .seconds(90)))
      await phone.run(until: 600)
      let heard = answers(phone)
      #expect(heard.map(\.second) == [90])
      guard case .unanswered(let failure, let best)? = heard.first?.notice else {
        Issue.record("no failure")
        return
      }
      #expect(failure.code == .timedOut)
      #expect(await phone.onTime(of: "location.gnss") == 90)
      if sky == .indoors { #expect(best == nil) } else { #expect((20...30).contains(best?.accuracy ?? 0)) }
    }
  }

  @Test("L02: a timeout that is shorter than the time to the first fix of a cold receiver causes a warning")
  func impatient() async throws {
    let phone = try await Phone(devices: Self.devices + ["location.wifi", "location.cell"])
    func fix(_ accuracy: String, _ timeout: String) -> [DiagnosticCode] {
      phone.codes("rule r when screen.on { fix gps to \(accuracy) timeout \(timeout) }")
    }
    #expect(fix("20 m", "30 s") == [.timeoutBeforeStart])
    #expect(fix("99 m", "46999 ms") == [.timeoutBeforeStart])
    #expect(fix("20 m", "47 s").isEmpty, "the first fix comes at that instant")
    #expect(fix("100 m", "5 s").isEmpty, "a scan of the networks is fast enough")
    let alone = try await Phone(devices: Self.devices)
    let far = alone.codes("rule r when screen.on { fix gps to 3 km timeout 5 s }")
    #expect(far == [.timeoutBeforeStart], "no other device can answer")
    // The warning is correct: no fix is available within that time after a cold start.
    for (timeout, isAnswered) in [(46.0, false), (48, true)] {
      let cold = try await Phone(devices: Self.devices)
      await cold.attach("app")
      await cold.ask("app", "here", FixRequest(accuracy: .meters(20), timeout: .seconds(timeout)))
      await cold.run(until: 100)
      let hasAnswer = if case .answer? = answers(cold).first?.notice { true } else { false }
      #expect(hasAnswer == isAnswered)
    }
  }

  @Test("L03: a fix that answers a request is delivered once to the request and once to a running stream")
  func twice() async throws {
    let phone = try await Phone(devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.ask("app", "here", FixRequest(accuracy: .meters(30), timeout: .seconds(90)))
    await phone.run(until: 60)
    guard case .answer(let fix)? = answers(phone, "here").first?.notice else {
      Issue.record("no answer")
      return
    }
    #expect(answers(phone, "here").count == 1)
    let streamed = answers(phone, "way").flatMap { entry -> [Fix] in
      if case .fixes(let fixes) = entry.notice { fixes } else { [] }
    }
    #expect(streamed.filter { $0.instant == fix.instant && $0.sequence == fix.sequence }.count == 1)
    #expect(Set(streamed.map(\.sequence)).count == streamed.count)
  }

  @Test("L03 G05: a request without a handler for updates or for failures is refused, and powers nothing")
  func unheard() async throws {
    let phone = try await Phone(devices: Self.devices)
    await phone.attach("app")
    for receivers in [ServiceInput.Receivers.updates, .failures, []] {
      await phone.serve(.ask(ServiceID("app", "here"), FixRequest(), receivers: receivers))
    }
    await phone.run(until: 100)
    #expect(phone.observer.everything.refusals.map(\.text) == Array(repeating: "app/here unheard", count: 3))
    #expect(await phone.onTime(of: "location.gnss") == 0)
  }

  @Test("L01 L02: invalid input is refused before any device is powered")
  func wrong() throws {
    var bench = try Bench()
    bench.attach("app")
    let requests = [
      FixRequest(accuracy: .meters(0)), FixRequest(accuracy: .meters(-5)),
      FixRequest(accuracy: .meters(.nan)),
      FixRequest(timeout: .zero), FixRequest(timeout: .seconds(-1)),
    ]
    for request in requests { bench.ask(ServiceID("app", "here"), request) }
    #expect(bench.refusals.map(\.failure.code) == Array(repeating: .invalid, count: 5))
    bench.attach("dark", mayBackground: false)
    bench.ask(ServiceID("dark", "here"), FixRequest(background: true))
    #expect(bench.refusals.dropFirst(5).map(\.failure.code) == [.denied])
    #expect(bench.powerUps.isEmpty)
  }

  @Test("L01 L02: a rule can also request one fix, and the receiver is on until this fix")
  func rule() async throws {
    let phone = try await Phone(
      devices: Self.devices, declares: [FactSchema(path: "door.opened", type: .boolean)],
      facts: [(0, "door.opened", "false"), (10, "door.opened", "true")],
      policy: """
        use location.gnss as gps
        rule r when door.opened { fix gps to 50 m timeout 60 s }
        """)
    await phone.run(until: 600)
    #expect(phone.states(of: "location.gnss") == ["search 10", "track 57", "off 57"])
    await phone.expectInvariants()
  }
}
