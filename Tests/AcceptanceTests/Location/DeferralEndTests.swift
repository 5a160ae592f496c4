import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite(.checkedPhones) struct DeferralEndTests {
  private static let devices: [DeviceID] = ["location.gnss", "host.processor", "host.app"]
  private static let way = ServiceID("app", "way")
  private static let updates = LocationUpdates(accuracy: .meters(5), background: true, pausing: false)

  private func running() throws -> Bench {
    var bench = try Bench()
    bench.attach("app")
    try bench.publishFact("app.state", "background")
    bench.ask(Self.way, Self.updates)
    bench.run(for: .seconds(1))
    bench.fix(try home)
    return bench
  }

  private var home: Coordinate {
    get throws { try #require(Coordinate(latitude: 47, longitude: 8)) }
  }

  private func ends(_ bench: Bench, _ id: ServiceID = way) -> [(number: Int, end: DeferralEnd)] {
    bench.notices(LocationNotice.self, id).compactMap { notice in
      if case .deferralEnded(let number, let end) = notice { (number, end) } else { nil }
    }
  }

  /// Returns the number of fixes that the stream `way` delivered.
  private func count(_ bench: Bench) -> Int {
    bench.notices(LocationNotice.self, Self.way).reduce(0) { total, notice in
      if case .fixes(let fixes) = notice { total + fixes.count } else { total }
    }
  }

  @Test(
    "L32: each cause ends a deferral with one notice; all causes except failures also deliver the held fixes")
  func causes() throws {
    typealias Change = (inout Bench) throws -> Void
    let command: (LocationCommand) -> Change = { command in { $0.serve(.command(Self.way, command)) } }
    let causes: [(DeferralEnd, Change)] = [
      (.reached([.time(.minutes(5))]), { $0.run(for: .minutes(5)) }),
      (.cancelled, command(.deferUpdates(2, distance: .meters(900)))),
      (.accuracyTooLow, command(.setAccuracy(.meters(100)))),
      (.distanceFiltered, command(.setFilter(.meters(10)))),
      (.notUpdating, { $0.serve(.end(Self.way)) }),
      (.notUpdating, command(.setBackground(false))),
      (.failed, { $0.device(Bench.gnss, .fault("it smokes")) }),
      (.failed, { $0.device(Bench.gnss, .available(false)) }),
      (
        .full,
        { bench in
          let home = try #require(Coordinate(latitude: 47, longitude: 8))
          for _ in 0..<600 {
            bench.run(for: .milliseconds(400))
            bench.fix(home)
          }
        }
      ),
    ]
    for (cause, change) in causes {
      var bench = try running()
      bench.serve(
        .command(Self.way, LocationCommand.deferUpdates(1, distance: .meters(500), time: .minutes(5))))
      for _ in 0..<10 {
        bench.run(for: .seconds(1))
        bench.fix(try home)
      }
      #expect(count(bench) == 1)
      try change(&bench)
      #expect(ends(bench).map(\.number) == [1])
      #expect(ends(bench).map(\.end) == [cause])
      if cause != .failed { #expect(count(bench) >= 11, "\(cause)") }
    }
  }

  @Test("L32: an impossible deferral ends at once, and the deferral of another stream continues")
  func refused() throws {
    for (request, cause) in [
      (LocationUpdates(accuracy: .meters(100), background: true), DeferralEnd.accuracyTooLow),
      (LocationUpdates(accuracy: .meters(5), filter: .meters(10), background: true), .distanceFiltered),
      (LocationUpdates(accuracy: .meters(5), background: false), .notUpdating),
    ] {
      var bench = try running()
      let other = ServiceID("app", "other")
      bench.ask(other, request)
      bench.serve(.command(Self.way, LocationCommand.deferUpdates(1, distance: .meters(500))))
      bench.serve(.command(other, LocationCommand.deferUpdates(2, distance: .meters(500))))
      #expect(ends(bench, other).map(\.end) == [cause])
      #expect(ends(bench).isEmpty)
    }
  }

  @Test("L32: in random schedules each deferral request gets exactly one end notice, and no fix is lost")
  func schedules() throws {
    for seed in Trials(1000).rounds {
      var random = SeededRandom(seed)
      var bench = try running()
      var requests = 0
      var taken = 1
      for _ in 0..<15 {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          bench.run(for: .milliseconds(Int64.random(in: 200...1500, using: &random)))
          if bench.isOn { taken += 1 }
          bench.fix(try home, moved: Double.random(in: 0...30, using: &random))
        }
        switch Int.random(in: 0...7, using: &random) {
        case 0, 1, 2:
          requests += 1
          bench.serve(
            .command(
              Self.way,
              LocationCommand.deferUpdates(
                requests,
                distance: Bool.random(using: &random)
                  ? .meters(Double.random(in: 0...90, using: &random)) : nil,
                time: Bool.random(using: &random) ? .seconds(Int64.random(in: 0...6, using: &random)) : nil)))
        case 3: try bench.publishFact("app.state", Bool.random(using: &random) ? "background" : "foreground")
        case 4: bench.serve(.command(Self.way, LocationCommand.setFilter(nil)))
        case 5:
          bench.serve(
            .command(
              Self.way, LocationCommand.setAccuracy(.meters([5, 100][Int.random(in: 0...1, using: &random)])))
          )
        case 6: bench.device(Bench.gnss, .fault("a hiccup"))
        default: bench.serve(.command(Self.way, LocationCommand.setActivity(.fitness)))
        }
      }
      bench.serve(.end(Self.way))
      let numbers = ends(bench).map(\.number)
      #expect(numbers.sorted() == Array(0..<requests).map { $0 + 1 }, "seed \(seed)")
      #expect(count(bench) == taken, "seed \(seed)")
    }
  }

  @Test("L32: a rule can act when the fact `gps.batch_done` becomes true")
  func rule() async throws {
    let phone = try await Phone(
      [Leg(activity: .walking, duration: .hours(1), speed: 1.4, heading: 40)], devices: Self.devices,
      declares: [FactSchema(path: "gps.batch_done", type: .boolean)],
      facts: [(0, "gps.batch_done", "false"), (100, "gps.batch_done", "true")],
      policy: """
        rule r when gps.batch_done { emit "trail.batch" }
        """)
    await phone.run(until: 200)
    #expect(phone.observer.everything.acts.map(\.second) == [100])
  }

  @Test("L33: for 8 h, a rule's hold restarts after each delivery; the hold ends with the rule's condition")
  func again() async throws {
    let legs = [Leg(activity: .still, duration: .hours(20), speed: 0, heading: 0)]
    let phone = try await Phone(
      legs, devices: Self.devices,
      facts: [(0, "app.state", "background"), (8 * 3600 + 100.5, "app.state", "foreground")],
      policy: """
        use location.gnss as gps
        rule r while app.state is background { batch gps until 500 m or 5 min }
        """)
    await phone.attach("app")
    var updates = Self.updates
    updates.period = .seconds(5)
    await phone.ask("app", "way", updates)
    await phone.run(until: 8 * 3600 + 140)
    let seconds = phone.notices(LocationNotice.self, for: "app").map(\.second)
    let held = seconds.filter { $0 <= 8 * 3600 + 100 }
    #expect(held.count == 96)
    #expect(zip(held, held.dropFirst()).allSatisfy { $1 - $0 == 300 })
    // The held fixes are delivered at the instant at which the condition ends. Afterwards each fix is
    // delivered separately.
    #expect(seconds.dropFirst(held.count).first == 8 * 3600 + 100.5)
    #expect(seconds.dropFirst(held.count + 1).first.map { $0 <= 8 * 3600 + 106 } == true)
  }

  @Test("L33: a second deferral cancels the first; after the second ends, each fix is delivered at once")
  func replaced() throws {
    var bench = try running()
    bench.serve(.command(Self.way, LocationCommand.deferUpdates(1, time: .seconds(10))))
    bench.run(for: .seconds(5))
    bench.serve(.command(Self.way, LocationCommand.deferUpdates(2, time: .seconds(10))))
    #expect(ends(bench).map(\.end) == [.cancelled])
    bench.run(for: .seconds(10))
    #expect(ends(bench).map(\.number) == [1, 2])
    let before = count(bench)
    for _ in 0..<5 {
      bench.run(for: .seconds(1))
      bench.fix(try home)
    }
    #expect(count(bench) == before + 5 && !bench.isHolding)
  }

  @Test(
    "L34: when each deferral is half the remaining distance, the last deferral ends within 1.4 m of the goal"
  )
  func shrinking() throws {
    var bench = try running()
    let goal = 1000.0
    let step = 1.4
    var travelled = 0.0
    var bounds: [Double] = []
    var endedAt: [Double] = []
    while endedAt.last.map({ goal - $0 > step }) ?? true, travelled < goal + 100 {
      if ends(bench).count == bounds.count {
        let remaining = goal - travelled
        bounds.append(remaining > 2 * step ? remaining / 2 : remaining)
        let number = bounds.count
        bench.serve(
          .command(
            Self.way,
            LocationCommand.deferUpdates(number, distance: bounds.last.map(Length.meters), time: .hours(1))))
      }
      bench.run(for: .seconds(1))
      bench.fix(try home, moved: step)
      travelled += step
      if ends(bench).count > endedAt.count { endedAt.append(travelled) }
    }
    #expect(bounds.count >= 8 && zip(bounds, bounds.dropFirst()).allSatisfy { $0 > $1 }, "\(bounds)")
    #expect(try abs(#require(endedAt.last) - goal) <= step, "\(endedAt)")
    let sizes = bench.notices(LocationNotice.self, Self.way).compactMap { notice -> Int? in
      if case .fixes(let fixes) = notice { fixes.count } else { nil }
    }.dropFirst()
    #expect(sizes.reduce(0, +) == Int((travelled / step).rounded()), "every fix of the path was delivered")
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 >= $1 }, "\(sizes)")
    #expect(ends(bench).map(\.end) == bounds.map { .reached([.distance($0)]) })
  }

  @Test("L34: a deferral by less than the distance between two fixes ends with the next fix")
  func belowInterval() throws {
    var bench = try running()
    for number in 1...5 {
      bench.serve(.command(Self.way, LocationCommand.deferUpdates(number, distance: .meters(0.5))))
      bench.run(for: .seconds(1))
      bench.fix(try home, moved: 1.4)
      #expect(ends(bench).count == number && count(bench) == number + 1)
    }
  }

  @Test("L34: near the goal, a rule replaces the bounds of another rule by shorter bounds")
  func near() async throws {
    let phone = try await Phone(
      [Leg(activity: .walking, duration: .hours(2), speed: 1.4, heading: 40)], devices: Self.devices,
      declares: [FactSchema(path: "hike.remaining", type: .quantity(.length))],
      facts: [
        (0, "app.state", "background"), (0, "hike.remaining", "3 km"), (1000, "hike.remaining", "900 m"),
      ],
      policy: """
        use location.gnss as gps
        rule hold while app.state is background { batch gps until 5 km or 8 min }
        rule near over hold while hike.remaining < 1 km { batch gps until 100 m or 1 min }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", Self.updates)
    await phone.run(until: 1400)
    let seconds = phone.notices(LocationNotice.self, for: "app").map(\.second)
    #expect(seconds.filter { $0 < 1000 } == [480, 960])
    let near = seconds.filter { $0 > 1000 }
    #expect(near.count >= 6 && zip(near, near.dropFirst()).allSatisfy { $1 - $0 <= 61 })
  }

  @Test("L35: held fixes are delivered when the goal is reached; a deferral by 0 m ends at once")
  func goal() async throws {
    let phone = try await Phone(
      [Leg(activity: .walking, duration: .hours(2), speed: 1.4, heading: 40)], devices: Self.devices,
      declares: [FactSchema(path: "hike.remaining", type: .quantity(.length))],
      facts: [(0, "app.state", "background"), (0, "hike.remaining", "3 km"), (200, "hike.remaining", "0 m")],
      policy: """
        use location.gnss as gps
        rule hold while app.state is background { batch gps until 5 km or 10 min }
        rule r when hike.remaining <= 0 m { flush gps }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", Self.updates)
    await phone.run(until: 300)
    #expect(phone.notices(LocationNotice.self, for: "app").map(\.second) == [200])
    var bench = try running()
    bench.serve(.command(Self.way, LocationCommand.deferUpdates(1, distance: .meters(0), time: .hours(1))))
    #expect(ends(bench).map(\.end) == [.reached([.distance(0)])])
  }
}
