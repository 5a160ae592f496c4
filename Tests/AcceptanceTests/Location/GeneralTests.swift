import StintGovernor
import StintLanguage
import StintModel
import StintPluginKit
import StintRuntime
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// A receiver that exists but cannot be started.
private actor BrokenReceiver: SensorPlugin {
  nonisolated let manifest: Manifest

  init(_ manifest: Manifest) { self.manifest = manifest }

  func open(_ port: DevicePort, at instant: Instant) throws(Problem) {}
  func apply(_ setting: Setting, at instant: Instant) throws(Problem) {
    throw Problem(.broken, device: manifest.device, cause: "it smokes")
  }
  func drain(at instant: Instant, reason: DeliveryReason) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
}

@Suite("Devices and their demands", .checkedPhones) struct GeneralTests {
  private static let devices: [DeviceID] = ["location.gnss", "host.processor", "host.app"]
  private static let linger = """
    use location.gnss as gps
    default gps { linger 5 s }
    """

  /// Returns a random request: updates, one fix, or the motion sensor.
  private func request(_ random: inout SeededRandom) -> any ServiceRequest {
    let accuracy = random.pick([5.0, 10, 100, 3000])
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return FixRequest(
        accuracy: .meters(accuracy), timeout: .seconds(Int64.random(in: 1...90, using: &random)))
    case 1:
      return PlainStream(device: "motion.accelerometer", wants: DemandSettings(period: .milliseconds(200)))
    default: return LocationUpdates(accuracy: .meters(accuracy), activity: random.pick([.other, .fitness]))
    }
  }

  @Test(
    "G01: after many clients have attached and detached, every sensor is off and only floor power is drawn")
  func nobody() async throws {
    let phone = try await Phone(
      devices: Self.devices + ["location.wifi", "location.cell", "motion.accelerometer"], policy: Self.linger)
    var random = SeededRandom(1)
    var second = 0.0
    var present: [ClientID] = []
    for number in Trials(1000, fewest: 30).rounds {
      let client = ClientID("client \(number)")
      present.append(client)
      await phone.attach(client)
      await phone.ask(client, "it", request(&random))
      second += Double.random(in: 0.01...2, using: &random)
      await phone.run(until: second)
      while present.count > 12 || (!present.isEmpty && Bool.random(using: &random)) {
        await phone.serve(.detach(present.remove(at: Int.random(in: present.indices, using: &random))))
      }
    }
    for client in present { await phone.serve(.detach(client)) }
    await phone.run(until: second + 5)
    for device in phone.vocabulary.manifests where device.kind == .sensor {
      #expect(await !phone.isOn(device.device))
    }
    let before = await phone.ledger()
    await phone.run(until: second + 3605)
    let after = await phone.ledger()
    #expect(after.total - before.total == Energy(nanojoules: 3600 * 3_000_000), "the suspended processor")
    #expect(after.byDevice["location.gnss"] == before.byDevice["location.gnss"])
    await phone.expectInvariants()
  }

  @Test("G01: a receiver whose demand ends during its start does not violate “gps.on implies demanded(gps)”")
  func duringStart() async throws {
    let phone = try await Phone(
      devices: Self.devices,
      policy: """
        use location.gnss as gps
        require gps.on implies demanded(gps)
        """)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10)))
    await phone.run(until: 20)
    await phone.end("app", "way")
    await phone.run(until: 100)
    #expect(phone.states(of: "location.gnss") == ["search 0", "off 20"])
    #expect(phone.observer.everything.acts.isEmpty, "no violation")
    await phone.expectInvariants()
  }

  @Test(
    "G02: a receiver shared by two clients goes off once, when the linger after the last demand has passed")
  func shared() async throws {
    let phone = try await Phone(devices: Self.devices, policy: Self.linger)
    await phone.attach("a")
    await phone.attach("b")
    await phone.ask("a", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.ask("b", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 60)
    await phone.end("a", "way")
    await phone.run(until: 120)
    await phone.end("b", "way")
    await phone.run(until: 1000)
    #expect(phone.states(of: "location.gnss") == ["search 0", "track 47", "off 125"])
    await phone.expectInvariants()
  }

  @Test("G02: in random interleavings the receiver is on if and only if a client has a demand")
  func interleavings() throws {
    for seed in Trials(500).rounds {
      var random = SeededRandom(seed)
      var bench = try Bench()
      var held: Set<ServiceID> = []
      for name in ["a", "b"] { bench.attach(ClientID(name)) }
      for _ in 0..<20 {
        bench.run(for: .milliseconds(Int64.random(in: 0...2000, using: &random)))
        let client = ClientID(Bool.random(using: &random) ? "a" : "b")
        let id = ServiceID(client, Bool.random(using: &random) ? "one" : "two")
        switch Int.random(in: 0...4, using: &random) {
        case 0, 1:
          bench.ask(id, LocationUpdates(accuracy: .meters(10), pausing: false))
          held.insert(id)
        case 2:
          bench.serve(.end(id))
          held.remove(id)
        case 3:
          // The client ends one request and makes another request at the same instant.
          let other = ServiceID(client, "three")
          bench.serve(.end(id), .ask(other, LocationUpdates(accuracy: .meters(10)), receivers: .both))
          held.remove(id)
          held.insert(other)
        default:
          bench.serve(.detach(client))
          bench.attach(client)
          held = held.filter { $0.client != client }
        }
        #expect(bench.isOn == !held.isEmpty)
      }
    }
  }

  @Test("G03: a policy that requires a missing device has an error with file, line and the device's name")
  func required() async throws {
    let phone = try await Phone(devices: Self.devices)
    let text = """
      policy "spinning" version 1
      use motion.gyro as gyro required
      rule spin while available(gyro) { downgrade gyro to 10 Hz }
      """
    let source = SourceText(file: "spinning.stint", bytes: Array(text.utf8))
    let loaded = PolicyLoader(vocabulary: phone.vocabulary).load([source])
    #expect(loaded.program == nil)
    let report = DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources)
    #expect(report.contains("spinning.stint:2:5") && report.contains("motion.gyro"))
  }

  @Test("G03: without `required`, rules that use a missing device are inactive, and “why” gives the reason")
  func optional() async throws {
    let phone = try await Phone(devices: Self.devices)
    let text = """
      policy "spinning" version 1
      use motion.gyro as gyro
      use location.gnss as gps
      rule spin while available(gyro) { downgrade gyro to 10 Hz }
      rule both while gyro.on { pause gps }
      """
    let source = SourceText(file: "spinning.stint", bytes: Array(text.utf8))
    let loaded = PolicyLoader(vocabulary: phone.vocabulary).load([source])
    let program = try #require(loaded.program)
    #expect(loaded.diagnostics.map(\.code).contains(.missingOptionalDevice))
    try await phone.host.load(program, policies: [], at: await phone.host.now)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10)))
    await phone.run(until: 60)
    #expect(await phone.isOn("location.gnss"))
    #expect(loaded.policies.first?.rules.map(\.isInert) == [true, true])
    let why = WhyReport(
      device: "location.gnss", governor: await phone.host.snapshot, policies: loaded.policies)
    #expect(why.text.contains("a device that the rule needs is missing"), "\(why.text)")
  }

  @Test("G03: a request for a missing device is refused; a removed device is off until it is back")
  func missing() async throws {
    let phone = try await Phone(devices: ["host.processor", "host.app", "motion.accelerometer"])
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10)))
    #expect(phone.observer.everything.refusals.map(\.text) == ["app/way unavailable"])
    var bench = try Bench()
    bench.attach("app")
    for device in ["location.gnss", "location.wifi", "location.cell"] as [DeviceID] {
      bench.device(device, .available(false))
    }
    bench.ask(ServiceID("app", "way"), LocationUpdates(accuracy: .meters(10)))
    #expect(bench.refusals.map(\.failure.code) == [.unavailable])
    #expect(bench.powerUps.isEmpty)
    bench.device("location.gnss", .available(true))
    bench.ask(ServiceID("app", "way"), LocationUpdates(accuracy: .meters(10)))
    #expect(bench.isOn)
    bench.device("location.gnss", .available(false))
    #expect(!bench.isOn)
    bench.device("location.gnss", .available(true))
    #expect(bench.isOn, "the device resumes by itself")
  }

  @Test(
    "G04: during random starts and stops the receiver is on while a stream runs, without extra power-ups")
  func startStop() throws {
    var bench = try Bench()
    var random = SeededRandom(4)
    let holders = ["a", "b", "c"].map { ServiceID(ClientID($0), "way") }
    for holder in holders { bench.attach(holder.client) }
    var running: Set<ServiceID> = []
    var expectedUps = 0
    for _ in Trials(10_000).rounds {
      let holder = holders[Int.random(in: 0..<3, using: &random)]
      let wasOn = !running.isEmpty
      if Bool.random(using: &random) {
        bench.ask(holder, LocationUpdates(accuracy: .meters(10), pausing: false))
        running.insert(holder)
      } else {
        bench.serve(.end(holder))
        running.remove(holder)
      }
      if !wasOn, !running.isEmpty { expectedUps += 1 }
      if bench.isOn != !running.isEmpty { Issue.record("on is \(bench.isOn), held by \(running)") }
      if Int.random(in: 0..<4, using: &random) == 0 { bench.run(for: .milliseconds(700)) }
    }
    #expect(bench.powerUps[Bench.gnss] == expectedUps)
    #expect(bench.refusals.allSatisfy { $0.failure.code == .duplicate })
  }

  @Test("G04: after random starts and stops exactly the clients with a running stream receive the next fix")
  func sequences() throws {
    var bench = try Bench()
    var random = SeededRandom(40)
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    let holders = ["a", "b", "c"].map { ServiceID(ClientID($0), "way") }
    for holder in holders { bench.attach(holder.client) }
    var ups = 0
    for number in Trials(10_000).rounds {
      var running: Set<ServiceID> = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let holder = random.pick(holders)
        let wasOn = !running.isEmpty
        if Bool.random(using: &random) {
          bench.ask(holder, LocationUpdates(accuracy: .meters(10), pausing: false))
          running.insert(holder)
        } else {
          bench.serve(.end(holder))
          running.remove(holder)
        }
        if !wasOn, !running.isEmpty { ups += 1 }
        if Int.random(in: 0..<3, using: &random) == 0 { bench.run(for: .milliseconds(300)) }
      }
      bench.run(for: .seconds(1))
      let heard = bench.notices.count
      bench.fix(home)
      let served = bench.notices.dropFirst(heard).map(\.id)
      if served.sorted() != running.sorted() || bench.isOn == running.isEmpty {
        Issue.record("sequence \(number): \(running.sorted()) run, \(served) are served")
      }
      for holder in running { bench.serve(.end(holder)) }
      if bench.isOn { Issue.record("sequence \(number): on without a demand") }
    }
    #expect(bench.powerUps[Bench.gnss] == ups && bench.powerDowns[Bench.gnss] == ups)
  }

  @Test("G04: a new request during the linger causes no power-up; after the linger, it causes one power-up")
  func restart() async throws {
    let phone = try await Phone(
      devices: Self.devices, facts: [(0, "app.state", "background"), (300, "app.state", "foreground")],
      policy: """
        use location.gnss as gps
        default gps { linger 5 s }
        rule r while app.state is foreground { start gps for "map" }
        """)
    await phone.attach("app")
    for second in [0.0, 12, 100] {
      await phone.run(until: second)
      await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), background: true))
      await phone.run(until: second + 10)
      await phone.end("app", "way")
    }
    await phone.run(until: 400)
    #expect(
      phone.states(of: "location.gnss")
        == ["search 0", "off 27", "search 100", "off 115", "search 300", "track 347"])
  }

  @Test("G05: while a device fails, each request for it fails exactly once")
  func failing() async throws {
    let manifest = try #require(try await Phone(devices: Self.devices).vocabulary.manifest("location.gnss"))
    let phone = try await Phone(
      devices: Self.devices,
      policy: """
        use location.gnss as gps
        rule r when not available(gps) { tell "map" "no position" }
        """, plugins: [BrokenReceiver(manifest)])
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10)))
    await phone.run(until: 100)
    #expect(phone.notices(ServiceFailure.self, for: "app").map(\.notice.code) == [.failed])
    #expect(phone.observer.everything.acts.count == 1)
    for attempt in 1...3 {
      await phone.ask("app", "again \(attempt)", LocationUpdates(accuracy: .meters(10)))
      await phone.ask("app", "fix \(attempt)", FixRequest())
      await phone.run(until: 100 + Double(attempt) * 10)
    }
    #expect(phone.observer.everything.refusals.filter { $0.text.hasSuffix("unavailable") }.count == 6)
    #expect(phone.notices(ServiceFailure.self, for: "app").count == 1)
    #expect(await phone.onTime(of: "location.gnss") == 0)
  }

  @Test("G05: a client that detaches gets no later fix of its stream, even when it attaches again")
  func gone() throws {
    var bench = try Bench()
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    bench.attach("app")
    bench.ask(ServiceID("app", "way"), LocationUpdates(accuracy: .meters(10), pausing: false))
    bench.run(for: .seconds(1))
    bench.fix(home)
    let heard = bench.notices.count
    bench.serve(.detach("app"))
    bench.run(for: .seconds(1))
    bench.fix(home)
    #expect(bench.notices.count == heard && !bench.isOn)
    bench.attach("app")
    #expect(bench.notices.count == heard, "an ended stream leaves nothing behind")
  }
}
