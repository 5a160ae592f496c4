import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

@Suite(.checkedPhones) struct DeferralTests {
  private static let devices: [DeviceID] = ["location.gnss", "host.processor", "host.app"]
  private static let way = ServiceID("app", "way")
  private static let updates = LocationUpdates(accuracy: .meters(5), background: true, pausing: false)

  /// Makes a bench with a client that has a running stream of one fix a second. The app is in the background
  /// unless `inFront` is true.
  private func running(
    inFront: Bool = false, _ change: (inout [Manifest]) -> Void = { _ in }
  ) throws -> Bench {
    var bench = try Bench(change)
    bench.attach("app")
    try bench.publishFact("app.state", inFront ? "foreground" : "background")
    bench.ask(Self.way, Self.updates)
    try step(&bench, 1)
    return bench
  }

  /// Advances the time by a number of seconds, with one fix per second. `metres` is the movement from fix to
  /// fix.
  private func step(_ bench: inout Bench, _ seconds: Int, metres: Double = 0) throws {
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    for _ in 0..<seconds {
      bench.run(for: .seconds(1))
      bench.fix(home, speed: metres, moved: metres)
    }
  }

  private func ask(_ bench: inout Bench, _ number: Int, distance: Length? = nil, time: Duration? = nil) {
    bench.serve(.command(Self.way, LocationCommand.deferUpdates(number, distance: distance, time: time)))
  }

  /// Returns the number of fixes in each delivery after the first.
  private func deliveries(_ bench: Bench) -> [Int] {
    bench.notices(LocationNotice.self, Self.way).dropFirst().compactMap { notice in
      if case .fixes(let fixes) = notice { fixes.count } else { nil }
    }
  }

  private func ends(_ bench: Bench) -> [String] {
    bench.notices(LocationNotice.self, Self.way).compactMap { notice in
      if case .deferralEnded(let number, let end) = notice { "\(number) \(end)" } else { nil }
    }
  }

  @Test(
    "L27: without a sample queue the query for deferral returns false, requests end at once, fixes continue"
  )
  func withoutLog() throws {
    var bench = try running { manifests in
      for place in manifests.indices where manifests[place].device == Bench.gnss { manifests[place].fifo = 0 }
    }
    bench.serve(.command(Self.way, LocationCommand.askDeferral))
    #expect(bench.notices(LocationNotice.self, Self.way).last == .canDefer(false))
    ask(&bench, 1, distance: .meters(500))
    #expect(ends(bench) == ["1 unsupported"])
    try step(&bench, 5)
    #expect(deliveries(bench) == [1, 1, 1, 1, 1])
    #expect(LocationUpdates.canDefer(try #require(bench.vocabulary.manifest("location.gnss"))) == false)
  }

  @Test("L27: with one fix per second, a queue of 600 fixes ends a deferral after 600 s, and no fix is lost")
  func full() async throws {
    let legs = [Leg(activity: .walking, duration: .hours(2), speed: 1.4, heading: 40)]
    let phone = try await Phone(legs, devices: Self.devices, facts: [(0, "app.state", "background")])
    await phone.attach("app")
    await phone.ask("app", "way", Self.updates)
    await phone.run(until: 100)
    await phone.command("app", "way", LocationCommand.askDeferral)
    await phone.command("app", "way", LocationCommand.deferUpdates(1, time: .hours(1)))
    await phone.run(until: 800)
    let heard = phone.notices(LocationNotice.self, for: "app")
    #expect(heard.contains { $0.notice == .canDefer(true) })
    #expect(heard.first { $0.notice == .deferralEnded(1, .full) }?.second == 700)
    let batches = heard.compactMap { entry -> [Fix]? in
      if case .fixes(let fixes) = entry.notice { fixes } else { nil }
    }
    #expect(batches.map(\.count).max() == 600)
    let sequences = batches.flatMap { $0 }.map(\.sequence)
    #expect(sequences == Array(0..<UInt64(sequences.count)), "no loss, no repetition, in order")
    await phone.expectInvariants()
  }

  @Test("L27: policies can read whether a device can hold samples")
  func query() async throws {
    let phone = try await Phone(
      devices: Self.devices + ["location.wifi"],
      policy: """
        use location.gnss as gps
        use location.wifi as wifi
        rule hold while can_defer(gps) { batch gps until 500 m or 10 min }
        rule other while can_defer(wifi) { stop gps }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", Self.updates)
    await phone.run(until: 100)
    #expect(phone.notices(LocationNotice.self, for: "app").isEmpty)
    #expect(await phone.isOn("location.gnss"))
    await phone.run(until: 700)
    #expect(phone.notices(LocationNotice.self, for: "app").count >= 1)
  }

  @Test(
    "L28: the time of a deferral is counted in the foreground too, but fixes are held only in the background")
  func background() throws {
    var bench = try running(inFront: true)
    ask(&bench, 1, time: .minutes(10))
    try step(&bench, 120)
    #expect(deliveries(bench) == Array(repeating: 1, count: 120))
    try bench.publishFact("app.state", "background")
    try step(&bench, 479)
    #expect(deliveries(bench).count == 120)
    try step(&bench, 2)
    // The deferral ends 600 s after its request, just before the next fix. This fix and the fix after it are
    // delivered at once.
    #expect(deliveries(bench).dropFirst(120) == [479, 1, 1])
    #expect(ends(bench) == ["1 \(DeferralEnd.reached([.time(.minutes(10))]))"])
  }

  @Test("L28: on return to the foreground a deferral delivers its fixes at once, and its time bound remains")
  func front() throws {
    var bench = try running()
    ask(&bench, 1, time: .minutes(10))
    try step(&bench, 100)
    #expect(deliveries(bench).isEmpty)
    try bench.publishFact("app.state", "foreground")
    #expect(deliveries(bench) == [100])
    try step(&bench, 10)
    #expect(deliveries(bench).count == 11)
    try bench.publishFact("app.state", "background")
    try step(&bench, 20)
    #expect(deliveries(bench).count == 11)
    bench.run(to: Bench.start + .seconds(601))
    #expect(ends(bench).count == 1)
    #expect(deliveries(bench).last == 20)
  }

  @Test("L28 L30: a policy holds fixes only in the background, until the first of its bounds is reached")
  func policy() async throws {
    let legs = [Leg(activity: .still, duration: .hours(2), speed: 0, heading: 0)]
    let phone = try await Phone(
      legs, devices: Self.devices, facts: [(0, "app.state", "foreground"), (120, "app.state", "background")],
      policy: """
        use location.gnss as gps
        rule r while app.state is background { batch gps until 1 km or 15 min }
        """)
    await phone.attach("app")
    var updates = Self.updates
    updates.period = .seconds(2)
    await phone.ask("app", "way", updates)
    await phone.run(until: 1100)
    let seconds = phone.notices(LocationNotice.self, for: "app").map(\.second)
    #expect(seconds.filter { $0 <= 120 }.count == 37)
    #expect(seconds.filter { $0 > 120 } == [1020])
  }

  @Test("L29: a deferral by 500 m delivers nothing up to 400 m, and one batch at 500 m (± one fix)")
  func distance() throws {
    var bench = try running()
    ask(&bench, 1, distance: .meters(500))
    try step(&bench, 286, metres: 1.4)
    #expect(deliveries(bench).isEmpty && ends(bench).isEmpty)
    try step(&bench, 72, metres: 1.4)
    #expect(deliveries(bench) == [358])
    #expect(ends(bench) == ["1 \(DeferralEnd.reached([.distance(500)]))"])
  }

  @Test(
    "L29: with position errors the batch is also delivered at 500 m; errors at rest do not count as distance")
  func distanceOnPhone() async throws {
    let legs = [
      Leg(activity: .still, duration: .minutes(20), speed: 0, heading: 0),
      Leg(activity: .walking, duration: .hours(1), speed: 1.4, heading: 40),
    ]
    let phone = try await Phone(legs, devices: Self.devices, facts: [(0, "app.state", "background")])
    await phone.attach("app")
    await phone.ask("app", "way", Self.updates)
    await phone.run(until: 1100)
    await phone.command("app", "way", LocationCommand.deferUpdates(1, distance: .meters(500)))
    await phone.run(until: 1200 + 400 / 1.4)
    #expect(phone.notices(LocationNotice.self, for: "app").last?.second == 1100)
    await phone.run(until: 1200 + 600 / 1.4)
    let end = try #require(
      phone.notices(LocationNotice.self, for: "app").first {
        $0.notice == .deferralEnded(1, .reached([.distance(500)]))
      })
    #expect(abs((end.second - 1200) * 1.4 - 500) <= 15, "at \((end.second - 1200) * 1.4) m")
  }

  @Test("L30 W6: at rest, with 500 m or 5 min requested repeatedly, batches come only at 5 and 10 min")
  func time() throws {
    var bench = try running()
    for number in 1...2 {
      ask(&bench, number, distance: .meters(500), time: .minutes(5))
      try step(&bench, 300)
    }
    let times = bench.notices.filter { $0.notice is LocationNotice }.map { ($0.at - Bench.start).seconds }
    #expect(Set(times.dropFirst()) == [301, 601])
    #expect(ends(bench) == [1, 2].map { "\($0) \(DeferralEnd.reached([.time(.minutes(5))]))" })
  }

  @Test(
    "L30: bounds reached 1 ms apart give one batch; a bound of zero ends a deferral at once")
  func both() throws {
    var bench = try running()
    ask(&bench, 1, distance: .meters(10), time: .seconds(10))
    try step(&bench, 9, metres: 1)
    bench.run(for: .milliseconds(999))
    // The distance bound is reached one millisecond before the time bound.
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    bench.fix(home, speed: 1, moved: 1)
    bench.run(for: .milliseconds(1))
    #expect(ends(bench).count == 1 && deliveries(bench) == [10])
    var endless = try running()
    ask(&endless, 1)
    try step(&endless, 500, metres: 10)
    #expect(ends(endless).isEmpty && deliveries(endless).isEmpty)
    var none = try running()
    ask(&none, 1, distance: .meters(0), time: .zero)
    #expect(ends(none) == ["1 \(DeferralEnd.reached([.distance(0), .time(.zero)]))"])
  }

  @Test("L30: a deferral ends at its correct time although the clock of its receiver is ahead for a while")
  func clock() async throws {
    let phone = try await Phone(
      devices: Self.devices, facts: [(0, "app.state", "background")],
      faults: [InjectedFault(device: Bench.gnss, at: .seconds(150), duration: .seconds(100), kind: .clock)])
    await phone.attach("app")
    await phone.ask("app", "way", Self.updates)
    await phone.run(until: 100)
    await phone.command(
      "app", "way", LocationCommand.deferUpdates(1, distance: .meters(500), time: .minutes(5)))
    await phone.run(until: 600)
    let ends = phone.notices(LocationNotice.self, for: "app").filter { entry in
      if case .deferralEnded = entry.notice { true } else { false }
    }
    #expect(ends.map(\.second) == [400])
    #expect(ends.first?.notice == .deferralEnded(1, .reached([.time(.minutes(5))])))
  }

  @Test("L31: 300 fixes are delivered as one array in the order of time, with one wake-up of the host")
  func order() async throws {
    let legs = [Leg(activity: .walking, duration: .hours(2), speed: 1.4, heading: 40)]
    let phone = try await Phone(legs, devices: Self.devices, facts: [(0, "app.state", "background")])
    await phone.attach("app")
    await phone.ask("app", "way", Self.updates)
    await phone.run(until: 100.5)
    await phone.command("app", "way", LocationCommand.deferUpdates(1, time: .seconds(300)))
    let before = await phone.host.snapshot.wakes
    await phone.run(until: 400.6)
    let heard = phone.notices(LocationNotice.self, for: "app")
    guard case .fixes(let fixes)? = heard.dropLast().last?.notice else {
      Issue.record("no batch")
      return
    }
    #expect(fixes.count == 300)
    #expect(
      zip(fixes, fixes.dropFirst()).allSatisfy { $0.instant < $1.instant && $0.sequence + 1 == $1.sequence })
    #expect(heard.last?.notice == .deferralEnded(1, .reached([.time(.seconds(300))])))
    #expect(await phone.host.snapshot.wakes == before + 1)
  }

  @Test("L31: when devices alternate, fixes are delivered in the order of time, each once")
  func turns() async throws {
    let legs = [Leg(activity: .walking, duration: .hours(2), speed: 1.4, heading: 40)]
    let phone = try await Phone(legs, devices: Self.devices + ["location.wifi", "location.cell"])
    await phone.attach("app")
    await phone.attach("map")
    await phone.ask(
      "app", "way", LocationUpdates(accuracy: .meters(1000), period: .seconds(30), pausing: false))
    for turn in 0..<6 {
      await phone.run(until: Double(turn) * 300 + 150)
      let accuracy = turn % 2 == 0 ? 10.0 : 100
      await phone.ask("map", "way", LocationUpdates(accuracy: .meters(accuracy), pausing: false))
      await phone.run(until: Double(turn) * 300 + 300)
      await phone.end("map", "way")
    }
    let fixes = phone.notices(LocationNotice.self, for: "app").flatMap { entry -> [Fix] in
      if case .fixes(let fixes) = entry.notice { fixes } else { [] }
    }
    #expect(Set(fixes.map(\.device)).count >= 2 && fixes.count >= 40)
    #expect(zip(fixes, fixes.dropFirst()).allSatisfy { $0.instant < $1.instant })
  }

  @Test("L31: when a client ends its stream, the held fixes are delivered; a batch may contain one fix")
  func stop() throws {
    for count in [1, 42] {
      var bench = try running()
      ask(&bench, 1, distance: .meters(5000))
      try step(&bench, count)
      bench.serve(.end(Self.way))
      #expect(deliveries(bench) == [count])
      #expect(ends(bench) == ["1 notUpdating"])
      #expect(bench.notices.last?.at == bench.now && !bench.isOn)
      bench.ask(Self.way, Self.updates)
      #expect(bench.isOn, "the name is free again")
    }
  }

  @Test("L31: a rule flushes the held fixes when the trail ends")
  func flush() async throws {
    let legs = [Leg(activity: .walking, duration: .hours(2), speed: 1.4, heading: 40)]
    let phone = try await Phone(
      legs, devices: Self.devices, declares: [FactSchema(path: "trail.ended", type: .boolean)],
      facts: [(0, "trail.ended", "false"), (200, "trail.ended", "true")],
      policy: """
        use location.gnss as gps
        rule hold while not trail.ended { batch gps until 5 km or 1 h }
        rule r when trail.ended { flush gps }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", Self.updates)
    await phone.run(until: 200)
    #expect(phone.notices(LocationNotice.self, for: "app").map(\.second) == [200])
  }
}
