import StintModel
import StintServices
import StintUnits
import Testing

/// Combined transfers: several transfers share one promotion (the start) and one tail (the wait before idle)
/// of the radio. A radio period is the time from a promotion to the end of its tail.
@Suite(.checkedPhones) struct RadioPeriodTests {
  private static let batching = """
    use radio.cellular as net
    rule r always { batch net until 2 MB or 30 min }
    """

  private func messages(_ policy: String) async throws -> PhoneTransferBench {
    var line = try await PhoneTransferBench.open(policy: policy)
    await line.ask()
    for minute in 0..<60 {
      await line.run(until: Double(minute) * 60)
      await line.submit("\(minute)", TransferBench.upload(20_000))
    }
    await line.run(until: 7200)
    return line
  }

  @Test(
    "N01: sixty batched messages cost at most 1/20 of sixty separate messages, and wait at most half an hour"
  )
  func messages() async throws {
    let alone = try await messages("")
    let batched = try await messages(Self.batching)
    let ratio = Double(await alone.radioEnergy().nanojoules) / Double(await batched.radioEnergy().nanojoules)
    #expect(ratio >= 20, "\(ratio)")
    #expect(batched.finished().count == 60)
    for minute in 0..<60 {
      let finish = try #require(batched.finish(of: "\(minute)"))
      #expect(finish - Double(minute) * 60 <= 30 * 60 + 5)
    }
    #expect(batched.periods(of: "radio.cellular") == 2)
    await batched.phone.expectInvariants()
  }

  @Test("N02: a film fetched at once costs at most half the energy of a film fetched megabyte by megabyte")
  func film() async throws {
    func energy(part: Int64?) async throws -> Energy {
      var line = try await PhoneTransferBench.open()
      let request = MediaRequest("film", bytes: 200_000_000, mostWasted: 200_000_000, part: part)
      if part == nil {
        await line.phone.ask("mail", "film", request)
        await line.run(until: 2200)
      } else {
        // The user watches a megabyte every ten seconds.
        let inParts = MediaRequest("film", bytes: 200_000_000, mostWasted: 1_000_000)
        await line.phone.ask("mail", "film", inParts)
        for part in 1...200 as ClosedRange<Int64> {
          await line.run(until: Double(part) * 10)
          await line.phone.command("mail", "film", MediaCommand.watched(part * 1_000_000))
        }
        await line.run(until: 2200)
      }
      #expect(line.phone.notices(MediaNotice.self, for: "mail").last?.notice == .ready(200_000_000))
      return await line.radioEnergy()
    }
    let whole = try await energy(part: nil)
    let inParts = try await energy(part: 1_000_000)
    #expect(inParts.nanojoules >= 2 * whole.nanojoules, "\(inParts) against \(whole)")
  }

  @Test(
    "N02: a user who stops watching wastes at most the permitted bytes",
    arguments: [5_000_000, 50_000_000] as [Int64])
  func wasted(cap: Int64) async throws {
    var line = try await PhoneTransferBench.open()
    await line.phone.ask(
      "mail", "film", MediaRequest("film", bytes: 200_000_000, mostWasted: cap, part: cap / 2))
    for part in 1...20 as ClosedRange<Int64> {
      await line.run(until: Double(part) * 10)
      await line.phone.command("mail", "film", MediaCommand.watched(part * 1_000_000))
    }
    await line.phone.command("mail", "film", MediaCommand.stop)
    await line.run(until: 1000)
    guard case .stopped(let wasted)? = line.phone.notices(MediaNotice.self, for: "mail").last?.notice else {
      Issue.record("never stopped")
      return
    }
    #expect(wasted > 0 && wasted <= cap)
    #expect(await !line.phone.isOn("radio.cellular"))
  }

  @Test(
    "N03: showing a hundred items in packs of ten takes ten radio periods; an empty pack is filled at once")
  func packs() async throws {
    var line = try await PhoneTransferBench.open()
    await line.phone.ask("mail", "ads", PackRequest(items: 10, itemBytes: 50_000))
    for show in 0..<100 {
      await line.run(until: Double(show) * 860)
      await line.phone.command("mail", "ads", ShowItem())
    }
    await line.run(until: 86_400)
    let shown = line.phone.notices(PackNotice.self, for: "mail")
    #expect(shown.map(\.notice) == (0..<100).map(PackNotice.show))
    #expect(line.periods(of: "radio.cellular") == 10)
    // The promotion of the radio takes two seconds, and the bytes take one second.
    for (number, entry) in shown.enumerated() { #expect(entry.second - Double(number) * 860 <= 3.01) }
  }

  @Test("N03: items that are too old are not shown")
  func expiredItems() async throws {
    var line = try await PhoneTransferBench.open()
    await line.phone.ask("mail", "ads", PackRequest(items: 10, itemBytes: 1000, lifetime: .hours(1)))
    await line.phone.command("mail", "ads", ShowItem())
    await line.run(until: 7200)
    await line.phone.command("mail", "ads", ShowItem())
    await line.run(until: 7300)
    #expect(
      line.phone.notices(PackNotice.self, for: "mail").map(\.notice) == [.show(0), .expired(9), .show(10)])
  }

  @Test("N04: forty messages finish in one radio period, and a large download waits for Wi-Fi")
  func mail() async throws {
    var configuration = TransferConfiguration()
    configuration.largeTask = 2_000_000
    var line = try await PhoneTransferBench.open(
      [.staying(.hours(8)), .staying(.hours(4), hasWiFi: true)],
      policy: """
        use radio.cellular as net
        rule mail always { batch net until 40 items or 2 MB or 30 min }
        """)
    await line.ask(configuration)
    for number in 0..<40 {
      await line.run(until: Double(number) * 30)
      await line.submit("m\(number)", TransferBench.download(30_000))
      if number == 7 { await line.submit("film", TransferBench.download(5_000_000)) }
    }
    await line.run(until: 3600)
    #expect(line.finished().count == 40)
    #expect(line.periods(of: "radio.cellular") == 1)
    await line.run(until: 10 * 3600)
    #expect(line.finished().contains("film"))
    #expect(line.periods(of: "radio.cellular") == 1)
  }

  @Test("N23: a batched task that the client promotes starts at once, together with the other batched tasks")
  func promotion() async throws {
    var line = try await PhoneTransferBench.open(
      policy: """
        use radio.cellular as net
        rule pack always { batch net until 2 MB or 2 h }
        """)
    await line.ask()
    await line.submit("a", TransferBench.download())
    await line.submit("b", TransferBench.download())
    await line.run(until: 1000)
    #expect(line.periods(of: "radio.cellular") == 0)
    await line.tell(.promote("a"))
    #expect(line.phone.states(of: "radio.cellular").last == "promotion 1000")
    await line.run(until: 1100)
    #expect(Set(line.finished()) == ["a", "b"])
    #expect(line.periods(of: "radio.cellular") == 1)
    await line.phone.expectInvariants()
  }

  @Test("N23: a task that a rule defers starts when the client promotes it")
  func deferred() async throws {
    var line = try await PhoneTransferBench.open(
      facts: [(0, "power.source", "battery")],
      policy: """
        use radio.cellular as net
        rule wait while power.source is battery { defer net until power.source is external deadline 7 d }
        """)
    await line.ask()
    await line.submit("a", TransferBench.download())
    await line.submit("b", TransferBench.download())
    await line.run(until: 1000)
    #expect(line.finished().isEmpty)
    await line.tell(.promote("a"))
    #expect(line.phone.states(of: "radio.cellular").last == "promotion 1000")
    await line.run(until: 1100)
    #expect(line.finished() == ["a"])
  }

  @Test(
    "N24: five clients with a job each quarter hour share at most five radio periods an hour, not twenty"
  )
  func shared() async throws {
    func periods(_ policy: String) async throws -> (count: Int, latest: Double) {
      let clients = (0..<5).map { ClientID("c\($0)") }
      var line = try await PhoneTransferBench.open(clients: clients, policy: policy)
      for client in clients { await line.ask(TransferConfiguration(), client) }
      var latest = 0.0
      for minute in 0..<240 {
        await line.run(until: Double(minute) * 60)
        for (place, client) in clients.enumerated() where minute % 15 == place * 3 {
          await line.submit("\(minute)", TransferBench.upload(20_000), client)
        }
      }
      await line.run(until: 5 * 3600)
      for (place, client) in clients.enumerated() {
        for minute in 0..<240 where minute % 15 == place * 3 {
          let finish = try #require(line.finish(of: "\(minute)", client))
          latest = max(latest, finish - Double(minute) * 60)
        }
        // No client receives notices about another client's jobs.
        #expect(line.finished(client).count == 16)
      }
      return (line.periods(of: "radio.cellular"), latest)
    }
    let alone = try await periods("")
    #expect(alone.count == 80)
    let shared = try await periods(
      """
      use radio.cellular as net
      rule pack always { batch net until 20 min }
      rule r every 15 min flex 5 min { flush net }
      """)
    #expect(shared.count <= 5 * 4, "\(shared)")
    #expect(shared.latest <= 20 * 60 + 10)
  }
}
