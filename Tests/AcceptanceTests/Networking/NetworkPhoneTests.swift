import StintModel
import StintRuntime
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// Transfer sessions on the simulated phone, with radios, changes of Wi-Fi, and policies.
@Suite(.checkedPhones) struct NetworkPhoneTests {
  private static let waiting = """
    use radio.cellular as net
    rule r while not queue.urgent {
      defer net until net.kind is wifi or power.source is external deadline 7 d
    }
    """
  private static let urgent = FactSchema(path: "queue.urgent", type: .boolean)

  @Test("N05: a rule defers a task for ten hours, until Wi-Fi is available")
  func rule() async throws {
    var line = try await PhoneTransferBench.open(
      [.staying(.hours(10)), .staying(.hours(5), hasWiFi: true)],
      facts: [(0, "queue.urgent", "false"), (0, "power.source", "battery")], policy: Self.waiting,
      declares: [Self.urgent])
    await line.run(until: 1)
    await line.ask()
    await line.submit("job", TransferBench.download())
    await line.run(until: 12 * 3600)
    #expect(line.phone.states(of: "radio.wifi").first == "active 36000")
    #expect(line.periods(of: "radio.cellular") == 0)
    #expect(line.finished() == ["job"])
    await line.phone.expectInvariants()
  }

  @Test(
    "N05 N16: without favourable conditions, a rule's deferral ends at its deadline; decisions name the rule")
  func ruleDeadline() async throws {
    var line = try await PhoneTransferBench.open(
      facts: [(0, "queue.urgent", "false"), (0, "power.source", "battery")], policy: Self.waiting,
      declares: [Self.urgent])
    await line.run(until: 1)
    await line.ask()
    await line.submit("job", TransferBench.download())
    await line.run(until: 8 * 86_400)
    let finish = try #require(line.finish(of: "job"))
    #expect(finish <= 7 * 86_400 + 1)
    #expect(finish >= 7 * 86_400 - 61)
    let deferred = line.phone.observer.everything.decisions.filter { $0.contains("deferred") }
    #expect(deferred.contains { $0.contains("[test/r]") }, "\(deferred)")
    await line.phone.expectInvariants()
  }

  @Test("N05 N14: without a rule, a discretionary session waits until Wi-Fi is stable")
  func discretionary() async throws {
    var line = try await PhoneTransferBench.open(
      [.staying(.hours(10)), .staying(.hours(5), hasWiFi: true)], facts: [(0, "power.source", "battery")])
    await line.ask(.discretionary)
    await line.submit("job", TransferBench.download())
    await line.run(until: 12 * 3600)
    #expect(line.phone.states(of: "radio.wifi").first == "active 36030")
    #expect(line.finished() == ["job"])
  }

  @Test("N06 N07: twenty tasks finish while their client is not running, and one launch reports them")
  func exit() async throws {
    var line = try await PhoneTransferBench.open()
    await line.ask()
    for number in 0..<10 {
      await line.submit("up\(number)", TransferBench.upload(200_000))
      await line.submit("down\(number)", TransferBench.download(200_000))
    }
    await line.phone.serve(.detach("mail"))
    await line.run(until: 600)
    #expect(line.phone.observer.everything.launches.map(\.text).first == "launch mail transfers")
    #expect(line.finished().isEmpty)
    await line.phone.attach("mail")
    await line.ask()
    #expect(line.finished().count == 20)
    #expect(Set(line.finished()).count == 20)
  }

  @Test("N12: on simulated radios, a task that fails three times is attempted at 0, 30, 90 and 210 s")
  func retries() async throws {
    var line = try await PhoneTransferBench.open()
    line.server = { $0.attempt <= 3 ? .refusedConnection : .good }
    await line.ask()
    await line.submit("job", TransferBench.download())
    await line.run(until: 600)
    #expect(line.attempts.map(\.second) == [0, 30, 90, 210])
    #expect(line.finished() == ["job"])
    // The three attempts that failed before the first byte did not make the radio active.
    #expect(line.phone.states(of: "radio.cellular").filter { $0.hasPrefix("active") }.count == 1)
  }

  @Test("N08 N10 N12: rules read facts of complete sessions, failures and missing credentials")
  func signals() async throws {
    let declares = ["net.session_done", "net.failed", "net.auth_needed"].map {
      FactSchema(path: $0, type: .boolean)
    }
    var line = try await PhoneTransferBench.open(
      policy: """
        use radio.cellular as net
        rule done when net.session_done { tell "mail" "sync finished" }
        rule failed when net.failed { emit "failed" }
        rule who when net.auth_needed { launch "mail" }
        """, declares: declares)
    line.server = { exchange in
      switch exchange.attempt {
      case 1: .refusedConnection
      case 2: .unauthorized
      default: .good
      }
    }
    await line.ask()
    await line.run(until: 1)
    await line.submit("job", TransferBench.download())
    await line.run(until: 100)
    await line.tell(.credentials("job"))
    await line.run(until: 200)
    #expect(line.finished() == ["job"])
    let acts = line.phone.observer.everything.acts
    #expect(acts.map { $0.text.split(separator: " ").first } == ["test/failed", "test/who", "test/done"])
    #expect(acts.map(\.second).prefix(2) == [1, 31])
  }

  @Test(
    "N07 N09: after a restart of the host with its saved file, each result is delivered exactly once")
  func restart() async throws {
    let folder = try ScratchFolder()
    let file = ServicesFile(folder.path + "/services.json")
    var line = try await PhoneTransferBench.open(
      [.staying(.hours(1))], facts: [(0, "power.source", "battery")])
    await line.phone.host.serve(keeping: file, restoring: try file.load(), at: await line.phone.host.now)
    await line.phone.attach("mail")
    await line.ask(.discretionary)
    for number in 0..<5 { await line.submit("\(number)", TransferBench.download()) }
    await line.tell(.promote("0"))
    await line.run(until: 60)
    #expect(line.finished() == ["0"])
    // The first host is abandoned without a call of `close`.
    var next = try await PhoneTransferBench.open(
      [.staying(.hours(1), hasWiFi: true)], clients: [], facts: [(0, "power.source", "battery")])
    await next.phone.host.serve(keeping: file, restoring: try file.load(), at: await next.phone.host.now)
    await next.run(until: 600)
    #expect(next.phone.observer.everything.launches.map(\.text).first == "launch mail transfers")
    await next.phone.attach("mail")
    await next.ask(.discretionary)
    #expect(next.finished() == ["1", "2", "3", "4"])
    await next.submit("0", TransferBench.download())
    await next.run(until: 1200)
    #expect(next.finished().count == 4)
  }

  @Test(
    "N15: with intermittent Wi-Fi, a Wi-Fi-only session sends no byte over cellular and keeps completed parts"
  )
  func wifiOnly() async throws {
    var chance = SeededGenerator(seed: 15)
    let legs = (0..<100).map { number in
      Leg.staying(.seconds(Int64.random(in: 1...60, using: &chance)), hasWiFi: number % 2 == 0)
    }
    var line = try await PhoneTransferBench.open(legs + [.staying(.hours(1), hasWiFi: true)])
    var configuration = TransferConfiguration()
    configuration.allowsCellular = false
    await line.ask(configuration)
    for number in 0..<10 { await line.submit("\(number)", TransferBench.download(150_000_000)) }
    await line.run(until: 7200)
    #expect(line.finished().count == 10)
    #expect(line.periods(of: "radio.cellular") == 0)
    #expect(line.attempts.count > 11)
    // The radio transfers 1.5 GB at 4 MB a second, each byte once.
    let active = await activeTime(of: "radio.wifi", line.phone)
    #expect(abs(active - 375) < 0.01)
    await line.phone.expectInvariants()
  }

  @Test("N14: when the link changes from Wi-Fi to cellular, the rest of an upload goes over cellular")
  func handover() async throws {
    var line = try await PhoneTransferBench.open([.staying(.seconds(10), hasWiFi: true), .staying(.hours(1))])
    await line.ask()
    await line.submit("up", TransferBench.upload(60_000_000))
    await line.run(until: 600)
    #expect(line.finished() == ["up"])
    #expect(line.attempts.map(\.exchange.offset) == [0, 40_000_000])
    #expect(await activeTime(of: "radio.wifi", line.phone) == 10)
    #expect(await activeTime(of: "radio.cellular", line.phone) == 40)
  }

  private func activeTime(of radio: DeviceID, _ phone: Phone) async -> Double {
    var total = 0.0
    var since: Double?
    for entry in phone.observer.everything.states where entry.text.hasPrefix("\(radio) ") {
      if let began = since { total += entry.second - began }
      since = entry.text.hasSuffix("active") ? entry.second : nil
    }
    return total
  }
}
