import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

@Suite(.checkedPhones) struct MovePhoneTests {
  private static let devices: [DeviceID] = [
    "location.gnss", "location.wifi", "location.cell", "host.processor",
  ]

  /// The energy of one position probe by Wi-Fi.
  private static let scan = Energy(nanojoules: 600_000_000)

  private func moved(_ phone: Phone) -> [(second: Double, fixes: [Fix])] {
    phone.notices(MoveNotice.self, for: "app").compactMap { second, notice in
      if case .moved(let fixes) = notice { (second, fixes) } else { nil }
    }
  }

  @Test("R14: a day on a desk causes 95 to 97 wake-ups of 30 mJ and one position, all charged to the client")
  func desk() async throws {
    let phone = try await Phone([PlacesWorld.rest(3000)], devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "moves", MovesRequest())
    await phone.run(until: 86_399)
    #expect(moved(phone).count == 1)
    let ledger = await phone.ledger()
    let floor = Power(nanowatts: 3_000_000).energy(over: .seconds(86_399), carrying: 0).0
    let wakes = try #require(ledger.byDevice["host.processor"]) - floor
    #expect((95...97).contains(wakes.nanojoules / 30_000_000))
    #expect(wakes.nanojoules.isMultiple(of: 30_000_000))
    let lookups = try #require(ledger.byDevice["location.wifi"])
    #expect(ledger.byClient["app"] == wakes + lookups)
    #expect(phone.notices(MoveNotice.self, for: "app").filter { $0.notice == .heartbeat }.count == 95)
    await phone.expectInvariants()
  }

  @Test("R20: in a quiet night a watch with pauses needs at most one scan an hour, and keeps its heartbeat")
  func night() async throws {
    let phone = try await Phone([PlacesWorld.rest(3000)], devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "moves", MovesRequest(pausing: true))
    await phone.run(until: 3600)
    let before = try #require(await phone.ledger().byDevice["location.wifi"])
    await phone.run(until: 9 * 3600)
    let scans = try #require(await phone.ledger().byDevice["location.wifi"]) - before
    #expect(scans.nanojoules <= 8 * 600_000_000)
    #expect(phone.notices(MoveNotice.self, for: "app").filter { $0.notice == .heartbeat }.count == 36)
    await phone.expectInvariants()
  }

  @Test("R11 R12: thirty kilometres by car are reported every 500 m or more, without the satellite receiver")
  func car() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(10), PlacesWorld.drive(1800, heading: 90), PlacesWorld.rest(600)],
      devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "moves", MovesRequest())
    await phone.run(until: 86_400)
    let told = moved(phone)
    #expect(told.count >= 4)
    for (before, after) in zip(told, told.dropFirst()) {
      #expect(after.second - before.second >= 300)
      let from = try #require(before.fixes.last)
      let to = try #require(after.fixes.last)
      #expect(from.coordinate.distance(to: to.coordinate) >= 500)
    }
    #expect(await phone.onTime(of: "location.gnss") == 0)
    await phone.expectInvariants()
  }

  @Test("R11: a walk to a point 499 m away and back is not reported")
  func near() async throws {
    let phone = try await Phone(
      [
        PlacesWorld.rest(20), PlacesWorld.walk(seconds: 356, heading: 0), PlacesWorld.rest(40),
        PlacesWorld.walk(seconds: 356, heading: 180),
      ], devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "moves", MovesRequest())
    await phone.run(until: 3 * 3600)
    #expect(moved(phone).count == 1)
  }

  @Test(
    "R12: with positions from another client's receiver, a watch needs only its first probe")
  func free() async throws {
    var spent: [Energy] = []
    for isWatched in [false, true] {
      let phone = try await Phone(
        [PlacesWorld.drive(3600, heading: 90)], devices: ["location.gnss", "location.wifi"])
      await phone.attach("guide")
      await phone.ask(
        "guide", "way", PlainStream(device: "location.gnss", wants: DemandSettings(accuracy: 10)))
      await phone.run(until: 60)
      if isWatched {
        await phone.attach("app")
        await phone.ask("app", "moves", MovesRequest())
      }
      await phone.run(until: 3590)
      spent.append(await phone.ledger().total)
      await phone.expectInvariants()
      guard isWatched else { continue }
      #expect(moved(phone).count >= 10)
      #expect(phone.notices(ServiceFailure.self, for: "app").isEmpty)
      // The other client's stream ends: the watch probes again at the usual time after the last position.
      await phone.end("guide", "way")
      await phone.run(until: 4400)
      #expect(await phone.ledger().byDevice["location.wifi"] ?? .zero > Self.scan)
      #expect(phone.notices(ServiceFailure.self, for: "app").isEmpty)
    }
    #expect(spent[1] - spent[0] == Self.scan)
  }

  @Test(
    "R13: neither the request's accuracy and filter nor a policy's default accuracy changes a notice of moves"
  )
  func noEffect() async throws {
    var logs: [[String]] = []
    for (accuracy, filter, policy) in [
      (nil, nil, ""), (1.0, 5.0, ""),
      (10_000, 10_000, "use location.wifi as coarse\ndefault coarse { accuracy 1 km }"),
    ] as [(Double?, Double?, String)] {
      let phone = try await Phone(
        [PlacesWorld.drive(3600, heading: 90)], devices: Self.devices, policy: policy)
      await phone.attach("app")
      await phone.ask(
        "app", "moves", MovesRequest(accuracy: accuracy.map(Length.meters), filter: filter.map(Length.meters))
      )
      await phone.run(until: 7200)
      logs.append(
        phone.notices(MoveNotice.self, for: "app").compactMap { second, notice in
          if case .noEffect = notice { nil } else { "\(second) \(notice)" }
        })
    }
    #expect(logs[0].count > 5)
    #expect(logs[0] == logs[1])
    #expect(logs[0] == logs[2])
  }

  @Test("R16: a position that is forty minutes old comes at once with its age, then a fresh position")
  func cached() async throws {
    let phone = try await Phone([PlacesWorld.rest(3000)], devices: Self.devices)
    await phone.attach("early")
    await phone.ask(
      "early", "once", PlainStream(device: "location.wifi", wants: DemandSettings(period: .hours(10))))
    await phone.run(until: 1)
    await phone.end("early", "once")
    await phone.run(until: 2400)
    await phone.attach("app")
    await phone.ask("app", "moves", MovesRequest())
    await phone.run(until: 8000)
    let notices = phone.notices(MoveNotice.self, for: "app")
    guard case .cached(_, let age)? = notices.first?.notice else {
      Issue.record("no cached position came first")
      return
    }
    #expect(notices.first?.second == 2400)
    #expect(age == .minutes(40))
    #expect(moved(phone).map(\.second) == [2400])
    #expect(notices.filter { if case .cached = $0.notice { true } else { false } }.count == 1)
  }

  @Test("R21: a denial at 100 s ends the watch at once with one notice, and does not affect another client")
  func denial() async throws {
    let phone = try await Phone([PlacesWorld.rest(3000)], devices: Self.devices)
    for client: ClientID in ["app", "other"] {
      await phone.attach(client)
      await phone.ask(client, "moves", MovesRequest())
    }
    await phone.run(until: 100)
    await phone.serve(.authorize("app", .denied))
    await phone.run(until: 7200)
    #expect(phone.notices(ServiceFailure.self, for: "app").map(\.second) == [100])
    #expect(phone.observer.everything.launches.count == 1)
    #expect(phone.notices(MoveNotice.self, for: "app").allSatisfy { $0.second < 100 })
    #expect(phone.notices(MoveNotice.self, for: "other").count >= 8)
    #expect(phone.notices(ServiceFailure.self, for: "other").isEmpty)
  }

  @Test(
    "R22: ten minutes without Wi-Fi and cells cause two failure notices; then the watch resumes by itself")
  func loss() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(3000)], devices: Self.devices,
      faults: [
        InjectedFault(device: "location.wifi", at: .seconds(2000), duration: .minutes(10), kind: .loss),
        InjectedFault(device: "location.cell", at: .seconds(2000), duration: .minutes(10), kind: .loss),
      ])
    await phone.attach("app")
    await phone.ask("app", "moves", MovesRequest())
    await phone.run(until: 7200)
    #expect(phone.notices(ServiceFailure.self, for: "app").map(\.second) == [2000, 2300])
    #expect(phone.notices(MoveNotice.self, for: "app").filter { $0.second > 2600 }.count >= 4)
    await phone.expectInvariants()
  }

  @Test("R22: probes without an answer also give failure notices, at most one in five minutes")
  func silence() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(3000)], devices: Self.devices,
      faults: [
        InjectedFault(device: "location.wifi", at: .seconds(800), duration: .minutes(20), kind: .dropout)
      ])
    await phone.attach("app")
    await phone.ask("app", "moves", MovesRequest())
    await phone.run(until: 7200)
    let seconds = phone.notices(ServiceFailure.self, for: "app").map(\.second)
    #expect((1...4).contains(seconds.count))
    for (before, after) in zip(seconds, seconds.dropFirst()) { #expect(after - before >= 300) }
  }

  @Test("R15: a forgotten watch continues, and “why” reports its client, its age and its energy")
  func forgotten() async throws {
    let phone = try await Phone([PlacesWorld.rest(20_000)], devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "moves", MovesRequest())
    await phone.serve(.detach("app"))
    await phone.run(until: 7 * 86_400)
    #expect(await phone.host.serviceBoard.runningServices.map(\.name) == ["moves"])
    let ledger = await phone.ledger()
    #expect(try #require(ledger.byClient["app"]) > .zero)
    let why = WhyReport(device: "location.wifi", governor: await phone.host.snapshot, policies: []).text
    #expect(
      why.contains("app") && why.contains("since") && why.contains("as requested") && why.contains(" J"),
      "\(why)"
    )
    await phone.expectInvariants()
  }

  @Test("R15: for a rule's watch that runs for a week, “why” reports the rule, the age and the energy")
  func forgottenRule() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(20_000)], devices: Self.devices,
      policy: """
        use location.wifi as coarse
        rule watching always { watch moves on coarse }
        """)
    await phone.run(until: 7 * 86_400)
    let why = WhyReport(device: "location.wifi", governor: await phone.host.snapshot, policies: []).text
    for part in [
      "demanded by  test ", "by test/watching", "since 08:15:00 (6 d 23 h 45 min)", "101.4 J since the start",
    ] { #expect(why.contains(part), "\(part): \(why)") }
    await phone.expectInvariants()
  }
}

/// A stream of one device's samples with given settings.
struct PlainStream: Service, ServiceRequest {
  struct Seen: ServiceNotice, Hashable { var samples: Int }

  let device: DeviceID
  var wants = DemandSettings()
  func candidates(_ roles: DeviceRoles) -> [DeviceID] { [device] }

  func makeService() -> any Service { self }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    _ = outbox.raise(device, wants)
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if case .batch(let batch, _) = event { outbox.notify(Seen(samples: batch.samples.count)) }
  }
}
