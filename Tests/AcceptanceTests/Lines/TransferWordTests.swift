import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

/// Verbs and defaults for clients' transfers, on the simulated phone.
@Suite(.checkedPhones) struct TransferWordTests {
  private static let truths = ["app.ready", "queue.urgent"].map { FactSchema(path: $0, type: .boolean) }

  @Test(
    "N20: while a rule is in force, tasks of the named client start although the client has not resumed them")
  func begin() async throws {
    var line = try await PhoneTransferBench.open(
      [.staying(.hours(2))], clients: ["mail", "photos"],
      facts: [(0, "app.ready", "false"), (100, "app.ready", "true"), (200, "app.ready", "false")],
      policy: """
        use radio.cellular as net
        rule r while app.ready { start net for "mail" }
        """, declares: Self.truths)
    await line.run(until: 1)
    for client: ClientID in ["mail", "photos"] {
      await line.ask(TransferConfiguration(), client)
      await line.tell(.create("early", TransferBench.download()), client)
    }
    await line.run(until: 99)
    #expect(line.attempts.isEmpty)
    await line.run(until: 150)
    #expect(line.finished() == ["early"])
    #expect(line.attempts.map(\.second) == [100])
    await line.tell(.create("meanwhile", TransferBench.download()))
    await line.run(until: 199)
    #expect(line.finished() == ["early", "meanwhile"])
    await line.run(until: 201)
    await line.tell(.create("late", TransferBench.download()))
    await line.run(until: 3600)
    #expect(line.finished() == ["early", "meanwhile"])
    #expect(line.finished("photos").isEmpty)
    await line.phone.expectInvariants()
  }

  @Test(
    "N20: a rule starts only the tasks of the session in the rule", arguments: ["sync", "other"])
  func session(name: String) async throws {
    var line = try await PhoneTransferBench.open(
      policy: "use radio.cellular as net\nrule r always { start net with { session \"\(name)\" } }")
    await line.ask()
    await line.tell(.create("job", TransferBench.download()))
    await line.run(until: 60)
    #expect(line.finished() == (name == "sync" ? ["job"] : []))
  }

  @Test(
    "N23: a rule with `over` lets one client's work start at once, despite rules with `defer` and `batch`")
  func urgent() async throws {
    var line = try await PhoneTransferBench.open(
      [.staying(.hours(30))], clients: ["mail", "photos"],
      facts: [
        (0, "queue.urgent", "false"), (0, "power.source", "battery"), (1000, "queue.urgent", "true"),
        (2000, "queue.urgent", "false"),
      ],
      policy: """
        use radio.cellular as net
        rule wait while power.source is battery { defer net until power.source is external deadline 18 h }
        rule pack always { batch net until 2 MB or 30 min }
        rule urgent over wait, pack while queue.urgent { start net for "mail" with { discretionary off } }
        """, declares: Self.truths)
    await line.run(until: 1)
    for client: ClientID in ["mail", "photos"] {
      await line.ask(.discretionary, client)
      await line.submit("first", TransferBench.download(), client)
    }
    await line.run(until: 999)
    #expect(line.attempts.isEmpty)
    await line.run(until: 1100)
    #expect(line.attempts.map(\.second) == [1000])
    #expect(line.finished() == ["first"])
    #expect(line.finished("photos").isEmpty)
    await line.run(until: 2001)
    await line.submit("second", TransferBench.download())
    await line.run(until: 10_000)
    #expect(line.finished() == ["first"])
    await line.phone.expectInvariants()
  }

  @Test("N07: transfers continue without their client, unless a policy keeps them in the client's process")
  func outOfProcess() async throws {
    for (word, others) in [("on", "on"), ("off", "on"), ("on", "off"), ("off", "off")] {
      var line = try await PhoneTransferBench.open(
        policy: """
          use radio.cellular as net
          use radio.wifi as wifi
          default net { out_of_process \(word) }
          default wifi { session "sync"  out_of_process \(others) }
          """)
      let goesOn = word == "on" && others == "on"
      await line.ask()
      await line.submit("job", TransferBench.download(5_000_000))
      await line.run(until: 5)
      await line.phone.serve(.detach("mail"))
      await line.run(until: 600)
      #expect(await line.phone.host.serviceBoard.runningServices.isEmpty == !goesOn)
      #expect(line.phone.observer.everything.launches.isEmpty == !goesOn)
      #expect(await !line.phone.isOn("radio.cellular"))
      await line.phone.attach("mail")
      await line.ask()
      #expect(line.finished() == (goesOn ? ["job"] : []))
      await line.phone.expectInvariants()
    }
  }
}
