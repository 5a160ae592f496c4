import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

/// Tests location updates while the app is in the background. Such updates require the client's capability
/// `mayBackground` and the flag `background` of the request.
@Suite(.checkedPhones) struct BackgroundTests {
  private static let devices: [DeviceID] = ["location.gnss", "host.processor", "host.app"]
  private static let linger = """
    use location.gnss as gps
    default gps { linger 5 s  background off }
    """

  private func lastFix(_ phone: Phone, for client: ClientID = "app") -> Double? {
    phone.notices(LocationNotice.self, for: client).last { entry in
      if case .fixes = entry.notice { true } else { false }
    }?.second
  }

  @Test("L16: background updates need both the client's capability and the request's background flag")
  func cells() async throws {
    for (isCapable, flag) in [(false, false), (false, true), (true, false), (true, true)] {
      let phone = try await Phone(
        devices: Self.devices, facts: [(0, "app.state", "foreground"), (60, "app.state", "background")])
      await phone.attach("app", mayBackground: isCapable)
      await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), background: flag, pausing: false))
      await phone.run(until: 300)
      let last = lastFix(phone) ?? 0
      #expect((last > 60) == (isCapable && flag))
      if flag, !isCapable {
        #expect(phone.observer.everything.refusals.map(\.text) == ["app/way denied"])
        #expect(await phone.onTime(of: "location.gnss") == 0)
      } else {
        #expect(phone.notices(ServiceFailure.self, for: "app").isEmpty)
      }
      await phone.expectInvariants()
    }
  }

  @Test("L16: a policy stops requests without the background flag while the app is in the background")
  func policy() async throws {
    let phone = try await Phone(
      devices: Self.devices, facts: [(0, "app.state", "foreground"), (60, "app.state", "background")],
      policy: """
        use location.gnss as gps
        rule cap while app.state is background and not client.may_background { stop gps }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 90)
    #expect(await phone.onTime(of: "location.gnss") == 60)
    await phone.command("app", "way", LocationCommand.setBackground(true))
    await phone.run(until: 100)
    #expect(await phone.isOn("location.gnss"))
  }

  @Test(
    "L17: the background flag is off by default; without it no fix comes after the app enters the background")
  func off() async throws {
    let facts = [(0.0, "app.state", "foreground"), (60.0, "app.state", "background")]
    let phone = try await Phone(devices: Self.devices, facts: facts, policy: Self.linger)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 300)
    #expect(try #require(lastFix(phone)) <= 60)
    #expect(phone.states(of: "location.gnss").last == "off 65")
  }

  @Test("L17: the background flag belongs to one client, and can be set in the background")
  func own() async throws {
    let facts = [(0.0, "app.state", "foreground"), (60.0, "app.state", "background")]
    let phone = try await Phone(devices: Self.devices, facts: facts, policy: Self.linger)
    await phone.attach("app")
    await phone.attach("other")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), background: true, pausing: false))
    await phone.ask("other", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 300)
    #expect(phone.states(of: "location.gnss") == ["search 0", "track 47"])
    #expect(lastFix(phone) == 300)
    #expect(try #require(lastFix(phone, for: "other")) <= 60)
    await phone.command("other", "way", LocationCommand.setBackground(true))
    await phone.command("app", "way", LocationCommand.setBackground(false))
    await phone.run(until: 310)
    #expect(lastFix(phone) == 300)
    #expect(lastFix(phone, for: "other") == 310)
    #expect(phone.states(of: "location.gnss") == ["search 0", "track 47"], "no power cycle in between")
    await phone.expectInvariants()
  }

  @Test("L18: after a stream has ended, changes between foreground and background switch no device on")
  func over() async throws {
    var facts: [(Double, String, String)] = [(0, "app.state", "foreground"), (60, "app.state", "background")]
    for turn in 0..<10 {
      facts.append((200 + Double(turn) * 20, "app.state", "foreground"))
      facts.append((210 + Double(turn) * 20, "app.state", "background"))
    }
    let phone = try await Phone(devices: Self.devices, facts: facts)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 50)
    await phone.command("app", "way", LocationCommand.setBackground(true))
    await phone.run(until: 150)
    #expect(lastFix(phone) == 150)
    await phone.command("app", "way", LocationCommand.setBackground(false))
    await phone.end("app", "way")
    let spent = await phone.ledger().byDevice["location.gnss"]
    await phone.run(until: 500)
    let later = await phone.ledger().byDevice["location.gnss"]
    #expect(later == spent)
    #expect(phone.states(of: "location.gnss").last == "off 150")
  }

  @Test(
    "L18: when a client with the background flag crashes, its stream ends, and its next stream has no flag")
  func crash() async throws {
    let phone = try await Phone(devices: Self.devices, facts: [(0, "app.state", "background")])
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), background: true, pausing: false))
    await phone.run(until: 100)
    await phone.serve(.detach("app"))
    await phone.run(until: 200)
    #expect(phone.states(of: "location.gnss").last == "off 100")
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 300)
    #expect(phone.states(of: "location.gnss").last == "off 100", "the flag is off again")
  }

  @Test("L18: the background flag in a rule's `start` has an effect exactly while the rule is in force")
  func rule() async throws {
    let phone = try await Phone(
      devices: Self.devices, declares: [FactSchema(path: "recording", type: .boolean)],
      facts: [
        (0, "app.state", "background"), (10, "recording", "true"), (110, "recording", "false"),
        (120, "app.state", "foreground"), (130, "app.state", "background"),
      ],
      policy: """
        use location.gnss as gps
        default gps { background off }
        rule r while recording { start gps with { background on } }
        """)
    await phone.run(until: 300)
    #expect(phone.states(of: "location.gnss") == ["search 10", "track 57", "off 110"])
  }

  @Test(
    "L18: a rule that sets the background flag causes a warning if it never ends, and no warning if it ends"
  )
  func forgotten() async throws {
    let phone = try await Phone(devices: Self.devices + ["motion.accelerometer"])
    let start = "start gps with { accuracy 20 m  activity fitness  background on }"
    #expect(phone.codes("rule r always { \(start) }") == [.backgroundForGood])
    #expect(phone.codes("rule r while screen.on { \(start) }").isEmpty)
    #expect(phone.codes("rule r when screen.on { \(start) for 10 min }").isEmpty)
    let plain = "start gps with { accuracy 20 m  activity fitness }"
    #expect(phone.codes("rule r always { \(plain) }").isEmpty)
    #expect(phone.codes("default gps { background on }\nrule r always { \(plain) }") == [.backgroundForGood])
    let off =
      "default gps { background on }\nrule r always { start gps with { accuracy 20 m  background off  activity fitness } }"
    #expect(phone.codes(off).isEmpty)
    // Cheap sensors may run permanently.
    let listening = "use motion.accelerometer as accel\nrule r always { start accel with { background on } }"
    #expect(phone.codes(listening) == [.unused], "only the receiver causes the warning")
  }

  @Test("L18: “why” reports a background flag that a client did not clear, and names the client")
  func left() async throws {
    let phone = try await Phone(devices: Self.devices, facts: [(0, "app.state", "background")])
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), background: true, pausing: false))
    await phone.run(until: 7200)
    let why = WhyReport(device: "location.gnss", governor: await phone.host.snapshot, policies: [])
    let line = why.text.split(separator: "\n").first { $0.contains("demanded by") }
    #expect(line.map { $0.contains("app") && $0.contains("background, since") } == true, "\(why.text)")
  }
}
