import StintGovernor
import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite(.checkedPhones) struct PausingTests {
  private static let devices: [DeviceID] = [
    "location.gnss", "host.processor", "host.app", "motion.accelerometer",
  ]
  private static let way = ServiceID("app", "way")

  private func still(_ minutes: Int64, _ activity: Activity = .still) -> Leg {
    Leg(activity: activity, duration: .minutes(minutes), speed: 0, heading: 0)
  }

  /// Returns the pause notices, each with its second, of a stream with a fix each second from 0 s on.
  private func pauses(
    _ activity: LocationActivity, pausing: Bool = true, seconds: Int,
    at place: (Int) -> (north: Double, east: Double)
  ) throws -> [String] {
    var bench = try Bench { manifests in manifests.removeAll { $0.device == "motion.accelerometer" } }
    bench.attach("app")
    bench.ask(Self.way, LocationUpdates(accuracy: .meters(5), activity: activity, pausing: pausing))
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    for second in 0...seconds {
      bench.run(to: Bench.start + .seconds(Int64(second)))
      let (north, east) = place(second)
      bench.fix(home.moved(north: north, east: east))
    }
    return told(bench)
  }

  private func told(_ bench: Bench) -> [String] {
    bench.notices.compactMap { entry in
      switch entry.notice as? LocationNotice {
      case .paused: "paused \(Int((entry.at - Bench.start).seconds))"
      case .resumed: "resumed \(Int((entry.at - Bench.start).seconds))"
      default: nil
      }
    }
  }

  private func told(_ phone: Phone, _ client: ClientID = "app") -> [String] {
    phone.notices(LocationNotice.self, for: client).compactMap { entry in
      switch entry.notice {
      case .paused: "paused \(Int(entry.second))"
      case .resumed: "resumed \(Int(entry.second))"
      default: nil
      }
    }
  }

  @Test("L19: in 30 min of rest, a receiver is off for 24 min or more with pauses, and never off without")
  func table() async throws {
    for (pausing, range) in [(true, 24 * 60...1800.0), (false, 0...0.0)] {
      let phone = try await Phone([still(60)], devices: Self.devices)
      await phone.attach("app")
      await phone.ask(
        "app", "way", LocationUpdates(accuracy: .meters(10), activity: .fitness, pausing: pausing))
      await phone.run(until: 1800)
      let off = 1800 - (await phone.onTime(of: "location.gnss"))
      #expect(range.contains(off), "off for \(off) s")
      await phone.expectInvariants()
    }
  }

  @Test("L19: a receiver pauses only while all its clients permit pauses, even if a rule requests the pause")
  func twoClients() async throws {
    let phone = try await Phone([still(60)], devices: Self.devices)
    for (client, pausing) in [("one", true), ("two", false)] as [(ClientID, Bool)] {
      await phone.attach(client)
      await phone.ask(
        client, "way", LocationUpdates(accuracy: .meters(10), activity: .fitness, pausing: pausing))
    }
    await phone.run(until: 1800)
    #expect(phone.states(of: "location.gnss") == ["search 0", "track 47"])
    await phone.end("two", "way")
    await phone.run(until: 2400)
    #expect(phone.states(of: "location.gnss").contains("off 1800"))
    // A rule pauses only clients that permit pauses.
    let ruled = try await Phone(
      [still(60)], devices: Self.devices, facts: [(0, "app.state", "foreground")],
      policy: """
        use location.gnss as gps
        default gps { pause auto }
        rule r while app.state is foreground { pause gps }
        """)
    await ruled.attach("app")
    await ruled.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: true))
    await ruled.run(until: 10)
    #expect(await !ruled.isOn("location.gnss"))
    await ruled.command("app", "way", LocationCommand.setPausing(false))
    await ruled.run(until: 20)
    #expect(await ruled.isOn("location.gnss"))
  }

  @Test("L20: switching from “fitness” to “automotive” at a red light prevents the pause of “fitness”")
  func redLight() throws {
    for switches in [false, true] {
      var bench = try Bench { manifests in manifests.removeAll { $0.device == "motion.accelerometer" } }
      let home = try #require(Coordinate(latitude: 47, longitude: 8))
      bench.attach("app")
      bench.ask(Self.way, LocationUpdates(accuracy: .meters(5), activity: .fitness))
      for second in 0...400 {
        bench.run(to: Bench.start + .seconds(Int64(second)))
        if switches, second == 150 {
          bench.serve(.command(Self.way, LocationCommand.setActivity(.automotive)))
        }
        bench.fix(home)
      }
      #expect(told(bench) == (switches ? [] : ["paused 180"]))
      #expect(bench.powerUps[Bench.gnss] == (switches ? 1 : 5), "a probe every 45 s without movement sensing")
    }
  }

  @Test("L20: a change of activity during a pause ends the pause, and the device receives the new activity")
  func changeMidPause() throws {
    var bench = try Bench()
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    bench.attach("app")
    bench.ask(Self.way, LocationUpdates(accuracy: .meters(5), activity: .fitness))
    for second in 0...200 {
      bench.run(to: Bench.start + .seconds(Int64(second)))
      bench.fix(home)
    }
    #expect(told(bench) == ["paused 180"])
    bench.serve(.command(Self.way, LocationCommand.setActivity(.automotive)))
    #expect(told(bench) == ["paused 180", "resumed 200"])
    #expect(bench.isOn)
    let status = try #require(bench.governor.status(of: Bench.gnss))
    #expect(status.setting.activity == "automotive")
    bench.serve(.command(Self.way, LocationCommand.setPausing(false)))
    for second in 201...2000 {
      bench.run(to: Bench.start + .seconds(Int64(second)))
      bench.fix(home)
    }
    #expect(told(bench).count == 2)
  }

  @Test("L20: a device with clients of two activities pauses when the later of the two pauses begins")
  func twoTypes() async throws {
    let phone = try await Phone([still(60)], devices: Self.devices)
    for (client, activity) in [("one", .fitness), ("two", .other)] as [(ClientID, LocationActivity)] {
      await phone.attach(client)
      await phone.ask(client, "way", LocationUpdates(accuracy: .meters(10), activity: activity))
    }
    await phone.run(until: 900)
    #expect(phone.states(of: "location.gnss").first { $0.hasPrefix("off") } == "off 647")
  }

  @Test("L21: with the activity “other”, a rest of 10 min causes a pause, and a rest of 9 min 59 s does not")
  func other() throws {
    #expect(try pauses(.other, seconds: 599) { _ in (0, 0) } == [])
    #expect(try pauses(.other, seconds: 600) { _ in (0, 0) } == ["paused 600"])
    #expect(try pauses(.other, pausing: false, seconds: 700) { _ in (0, 0) } == [])
    // A shift of 45 m counts as rest, a shift of 60 m does not.
    #expect(try pauses(.other, seconds: 660) { second in (second < 330 ? 0 : 45, 0) } == ["paused 600"])
    #expect(try pauses(.other, seconds: 660) { second in (second < 330 ? 0 : 60, 0) } == [])
  }

  @Test("L22: with “automotive”, 15 min of parking cause a pause; 8 min of parking or creeping do not")
  func automotive() throws {
    func drive(then still: Int, creep: Double = 0) throws -> [String] {
      try pauses(.automotive, seconds: 60 + still) { second in
        second < 60 ? (Double(second) * 10, 0) : (600 + Double(second - 60) * creep, 0)
      }
    }
    #expect(try drive(then: 8 * 60) == [])
    let parked = try drive(then: 20 * 60).first
    let second = try #require(parked.flatMap { Int($0.dropFirst(7)) })
    #expect((60 + 900...60 + 960).contains(second), "paused at \(second) s")
    #expect(try drive(then: 30 * 60, creep: 1.0 / 60) == [])
  }

  @Test("L22 W4: with the errors of a real receiver, parking leads to a pause, and creeping does not")
  func automotiveOnPhone() async throws {
    let drive = Leg(activity: .automotive, duration: .minutes(5), speed: 10, heading: 30)
    let parked = try await Phone([drive, still(40)], devices: Self.devices)
    await parked.attach("app")
    await parked.ask("app", "way", LocationUpdates(accuracy: .meters(5), activity: .automotive))
    await parked.run(until: 300 + 20 * 60)
    let pause = try #require(told(parked).first.flatMap { Double($0.dropFirst(7)) })
    #expect((300 + 900...300 + 960).contains(pause))
    let jam = Leg(activity: .automotive, duration: .minutes(40), speed: 1.0 / 60, heading: 30)
    let creeping = try await Phone([drive, jam], devices: Self.devices)
    await creeping.attach("app")
    await creeping.ask("app", "way", LocationUpdates(accuracy: .meters(5), activity: .automotive))
    await creeping.run(until: 300 + 30 * 60)
    #expect(told(creeping) == [])
  }

  @Test("L23: with “fitness”, circling a bench causes a pause at 3 min; climbing 40 m in 3 min does not")
  func fitness() throws {
    let bench = try pauses(.fitness, seconds: 300) { second in
      let side = [(0.0, 0.0), (0, 14), (14, 14), (14, 0)][second / 10 % 4]
      return (north: side.0, east: side.1)
    }
    #expect(bench.first.flatMap { Int($0.dropFirst(7)) }.map { $0 <= 180 } == true, "\(bench)")
    #expect(try pauses(.fitness, seconds: 900) { second in (Double(second) * 40 / 180, 0) } == [])
    #expect(try pauses(.fitness, seconds: 185) { _ in (0, 0) } == ["paused 180"])
  }

  @Test("L24: “other navigation” pauses an anchored boat after 10 min, but not a train that stops for 6 min")
  func otherNavigation() throws {
    let boat = try pauses(.otherNavigation, seconds: 660) { second in
      let swing = second / 60 % 4
      return (north: 0, east: [0, 40, 80, 40][swing])
    }
    #expect(boat.first == "paused 600")
    let train = try pauses(.otherNavigation, seconds: 1200) { second in
      let moving = min(second, 300) + max(0, second - 660)
      return (north: Double(moving) * 20, east: 0)
    }
    #expect(train == [])
  }

  @Test(
    "L21 L22 L23 L24: rules can express the four pause rules, each for its own activity",
    arguments: [("other", 600), ("automotive", 900), ("fitness", 180), ("navigation", 600)])
  func rules(activity: String, second: Double) async throws {
    let phone = try await Phone(
      [still(60)], devices: ["location.gnss", "host.processor", "host.app"],
      policy: """
        use location.gnss as gps
        rule on always { start gps for "app" with { accuracy 10 m  activity \(activity) } }
        rule other_pause while client.activity is other and spread(gps, 10 min) < 50 m { pause gps }
        rule car_pause while client.activity is automotive and gps.speed < 0.5 m/s for 15 min { pause gps }
        rule foot_pause while client.activity is fitness and spread(gps, 3 min) < 30 m { pause gps }
        rule hull_pause while client.activity is navigation and spread(gps, 10 min) < 200 m { pause gps }
        """)
    await phone.run(until: 1200)
    let off = phone.states(of: "location.gnss").first { $0.hasPrefix("off") }
    let at = try #require(off.flatMap { Double($0.dropFirst(4)) }) - 47  // The first fix is at 47 s.
    #expect((second...second + 10).contains(at), "paused after \(at) s")
    await phone.expectInvariants()
  }

  @Test("L25: on one track with six stops, the four activities pause at four different sets of instants")
  func golden() async throws {
    var legs: [Leg] = []
    for minutes in [2, 4, 6, 11, 14, 20] as [Int64] {
      legs.append(Leg(activity: .walking, duration: .minutes(5), speed: 1.4, heading: 40))
      legs.append(still(minutes))
    }
    legs.append(Leg(activity: .walking, duration: .minutes(5), speed: 1.4, heading: 40))
    var table: [LocationActivity: [String]] = [:]
    for activity in [LocationActivity.other, .automotive, .fitness, .otherNavigation] {
      let phone = try await Phone(legs, devices: Self.devices)
      await phone.attach("app")
      await phone.ask(
        "app", "way", LocationUpdates(accuracy: .meters(10), period: .seconds(5), activity: activity))
      await phone.run(until: 92 * 60)
      table[activity] = told(phone)
      await phone.expectInvariants()
    }
    #expect(Set(table.values).count == 4)
    let golden: [LocationActivity: [String]] = [
      .other: [
        "paused 2477", "resumed 2582", "paused 3461", "resumed 3722", "paused 4601", "resumed 5222",
      ],
      .automotive: ["paused 4952", "resumed 5222"],
      .fitness: [
        "paused 887", "resumed 962", "paused 1426", "resumed 1622", "paused 2086", "resumed 2582",
        "paused 3046", "resumed 3722", "paused 4186", "resumed 5222",
      ],
      .otherNavigation: [
        "paused 2387", "resumed 2582", "paused 3341", "resumed 3722", "paused 4481", "resumed 5222",
      ],
    ]
    #expect(table == golden)
  }

  @Test("L25: the default activity is “other”, and each activity has its specified pause rule")
  func unset() {
    #expect(LocationUpdates().meantActivity == .other)
    #expect(LocationDefaults.pauseRule(for: .other) == PauseRule(window: .minutes(10), reach: 50))
    #expect(LocationDefaults.pauseRule(for: .automotive) == PauseRule(window: .minutes(15), reach: 0))
    #expect(LocationDefaults.pauseRule(for: .fitness) == PauseRule(window: .minutes(3), reach: 30))
    #expect(LocationDefaults.pauseRule(for: .otherNavigation) == PauseRule(window: .minutes(10), reach: 200))
  }

  @Test("L26: after a pause, the first fix is as accurate as requested, and the missed distance is short")
  func wayBack() async throws {
    let cases: [(Activity, Double, LocationActivity, Double)] = [
      (.walking, 1.4, .fitness, 100), (.automotive, 14, .automotive, 300), (.cycling, 5, .other, 300),
    ]
    for (activity, speed, type, missed) in cases {
      let stop = still(25)
      let legs = [stop, Leg(activity: activity, duration: .minutes(20), speed: speed, heading: 40)]
      let phone = try await Phone(legs, devices: Self.devices)
      await phone.attach("app")
      await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), activity: type))
      await phone.run(until: 25 * 60 + 300)
      let heard = phone.notices(LocationNotice.self, for: "app")
      let paused = try #require(heard.firstIndex { $0.notice == .paused })
      let resumed = try #require(heard.firstIndex { $0.notice == .resumed })
      #expect(paused < resumed && heard[resumed].second >= 25 * 60)
      let first = heard[resumed...].first { entry in if case .fixes = entry.notice { true } else { false } }
      guard case .fixes(let fixes)? = first?.notice, let second = first?.second else {
        Issue.record("no fix after the pause")
        continue
      }
      #expect(fixes[0].accuracy <= 10)
      #expect((second - 25 * 60) * speed <= missed, "\(type): \((second - 25 * 60) * speed) m")
      await phone.expectInvariants()
    }
  }

  @Test("L26: after each of many pauses, the first fix is accurate, and the missed distance is short")
  func eachWayBack() async throws {
    let cases: [(Activity, Double, LocationActivity, Double)] = [
      (.walking, 1.4, .fitness, 100), (.automotive, 14, .automotive, 300),
    ]
    for (activity, speed, type, missed) in cases {
      for seed in Trials(20, fewest: 1).seeds {
        var legs: [Leg] = []
        for turn in 0..<3 {
          legs.append(still(20))
          let heading = Double(turn) * 70
          legs.append(Leg(activity: activity, duration: .minutes(4), speed: speed, heading: heading))
        }
        let phone = try await Phone(legs, devices: Self.devices, seed: seed)
        await phone.attach("app")
        await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), activity: type))
        await phone.run(until: 3 * 24 * 60)
        let heard = phone.notices(LocationNotice.self, for: "app")
        let resumed = heard.indices.filter { heard[$0].notice == .resumed }
        #expect(resumed.count == 3)
        for (turn, place) in resumed.enumerated() {
          let leaves = Double(turn * 24 + 20) * 60
          #expect(heard[place].second >= leaves, "resumed before the phone moved")
          let first = heard[place...].first { entry in
            if case .fixes = entry.notice { true } else { false }
          }
          guard case .fixes(let fixes)? = first?.notice, let second = first?.second else {
            Issue.record("no fix after the pause")
            continue
          }
          #expect(fixes.first.map { $0.accuracy <= 10 } == true)
          #expect(
            (second - leaves) * speed <= missed, "\(type), seed \(seed): \((second - leaves) * speed) m")
        }
        await phone.expectInvariants()
      }
    }
  }

  @Test("L26: without a working accelerometer, occasional probes end the pause")
  func withoutAccelerometer() async throws {
    let legs = [still(25), Leg(activity: .walking, duration: .minutes(20), speed: 1.4, heading: 40)]
    let phone = try await Phone(legs, devices: ["location.gnss", "host.processor", "host.app"])
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), activity: .fitness))
    await phone.run(until: 25 * 60 + 300)
    let resumed = try #require(told(phone).last.flatMap { Double($0.dropFirst(8)) })
    #expect((resumed - 25 * 60) * 1.4 <= 100)
    let stopped = try await Phone(
      legs, devices: Self.devices, facts: [(0, "app.state", "foreground")],
      policy: """
        use motion.accelerometer as accel
        rule r while app.state is foreground { stop accel }
        """)
    await stopped.attach("app")
    await stopped.ask("app", "way", LocationUpdates(accuracy: .meters(10), activity: .fitness))
    await stopped.run(until: 25 * 60 + 300)
    #expect(told(stopped).last?.hasPrefix("resumed") == true)
    let off = 25 * 60 + 300 - (await stopped.onTime(of: "location.gnss"))
    #expect(off > 15 * 60, "probes cost little: off for \(off) s")
  }

  @Test("L26: on random tracks, every pause ends, for any behaviour of the accelerometer")
  func everyPause() throws {
    var pauses = 0
    for seed in Trials(60, fewest: 3).rounds {
      var random = SeededRandom(seed)
      var bench = try Bench()
      let home = try #require(Coordinate(latitude: 47, longitude: 8))
      bench.attach("app")
      bench.ask(Self.way, LocationUpdates(accuracy: .meters(5), activity: .fitness))
      let leaves = Int.random(in: 200...900, using: &random)
      let isActivityRandom = Bool.random(using: &random)
      for second in 0...(leaves + 16 * 60 + 60) {
        bench.run(to: Bench.start + .seconds(Int64(second)))
        let metres = Double(max(0, second - leaves)) * 1.4
        if Int.random(in: 0..<30, using: &random) == 0 {
          let moves = isActivityRandom ? Bool.random(using: &random) : second > leaves
          try bench.publishFact("motion.activity", moves ? "walking" : "still")
        }
        bench.fix(home.moved(north: metres, east: 0))
      }
      let (paused, resumed) = (told(bench).filter { $0.hasPrefix("paused") }.count, told(bench).count)
      #expect(resumed == 2 * paused, "seed \(seed): \(told(bench))")
      #expect(bench.isOn)
      pauses += paused
    }
    #expect(pauses > 0, "no track had a pause")
  }
}
