import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

@Suite struct BusLifeTests {
  private static let gnss: DeviceID = "location.gnss"

  private func bus(
    _ sensors: [TickingSensor], clock: Bus.Clock = .virtual, facts: [AppFact] = []
  ) async throws -> Bus {
    try await Bus(plugins: .linked(sensors), clock: clock, facts: facts)
  }

  @Test("X08: an open bus is running; when close returns, the bus is closed and every device is off")
  func states() async throws {
    let sensor = try TickingSensor(Self.gnss)
    let bus = try await bus([sensor])
    #expect(await bus.state == .running)
    let app = try await bus.attach("app", authorized: .always)
    try await app.withDemand(.location(accuracy: .meters(10))) { batches in
      try await bus.advance(by: .seconds(1))
      for try await _ in batches { break }
      await bus.close()
      #expect(await bus.state == .closed)
      #expect(await sensor.isClosed)
      #expect(await !sensor.isOn)
    }
    await bus.close()
    #expect(await bus.state == .closed)
  }

  @Test("X08: a bus enters its states in order, and only the first call of close starts the closing")
  func life() async {
    var life = BusLife()
    #expect(life.state == .starting)
    life.run()
    #expect(life.state == .running)
    let (first, second) = (life.close(), life.close())
    #expect(first && !second)
    #expect(life.state == .closing)
    #expect(life.end().isEmpty)
    #expect(life.state == .closed)
  }

  @Test("X08: closing a bus ends a waiting demand at once, with the reason")
  func waitingDemand() async throws {
    for clock in [Bus.Clock.virtual, .system] {
      let bus = try await bus([try TickingSensor(Self.gnss, isSilent: true)], clock: clock)
      let app = try await bus.attach("app", authorized: .always)
      let error = await #expect(throws: Problem.self) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            try await app.withDemand(.location(accuracy: .meters(10))) { batches in
              for try await _ in batches {}
            }
          }
          await Task.yield()
          await bus.close()
          try await group.waitForAll()
        }
      }
      #expect(error?.code == .closed)
    }
  }

  @Test("X08: closing a bus ends the notices of every service, with the reason")
  func waitingNotices() async throws {
    let bus = try await bus([try TickingSensor(Self.gnss, isSilent: true)])
    let app = try await bus.attach("app", authorized: .always)
    let notices = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
    #expect(notices.end == nil)
    await bus.close()
    for await _ in notices {}
    #expect(notices.end == .closed)
    let late = await app.notices(of: "way")
    for await _ in late {}
    #expect(late.end == .closed)
  }

  @Test("X08: on a closed bus, every throwing call fails with `closed`, and every other call returns")
  func callsAfterClose() async throws {
    let fact = AppFact("door.open", .truth)
    let bus = try await bus([try TickingSensor(Self.gnss)], facts: [fact])
    let app = try await bus.attach("app", authorized: .always)
    await bus.close()
    func code(_ call: () async throws -> Void) async -> Problem.Code? {
      do { try await call() } catch { return (error as? Problem)?.code }
      return nil
    }
    #expect(await code { _ = try await bus.attach("late", authorized: .always) } == .closed)
    #expect(await code { try await bus.load(policies: "/nowhere") } == .closed)
    #expect(await code { try await app.publish("door.open", true) } == .closed)
    #expect(await code { _ = try await app.ask("way", for: LocationUpdates()) } == .closed)
    #expect(await code { try await app.withDemand(.location(accuracy: .meters(10))) { _ in } } == .closed)
    await app.authorize(.denied)
    #expect(await code { try await app.send("way", LocationCommand.askDeferral) } == .closed)
    await app.end("way")
    await app.detach()
  }

  @Test("X08: `attach` during `close` either succeeds or throws `closed`, in any interleaving")
  func attachBesideClose() async throws {
    for seed in Trials(1000).rounds {
      let bus = try await Bus(plugins: .linked([]), clock: .virtual)
      let results = await withTaskGroup(of: Problem.Code?.self) { group in
        for number in 0..<2 {
          group.addTask {
            for _ in 0..<(seed >> number) % 7 { await Task.yield() }
            do throws(Problem) {
              _ = try await bus.attach("app-\(number)", authorized: .always)
              return nil
            } catch { return error.code }
          }
        }
        group.addTask {
          for _ in 0..<seed % 11 { await Task.yield() }
          await bus.close()
          return nil
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      // The scheduler determines the order of the calls, but each call completes.
      #expect(results.count == 3 && results.allSatisfy { $0 == nil || $0 == .closed })
      #expect(await bus.state == .closed)
    }
  }

  @Test("X08: a bus that is released without close closes its devices")
  func dropped() async throws {
    let sensor = try TickingSensor(Self.gnss)
    do { _ = try await bus([sensor]) }
    await sensor.closed()
    #expect(await sensor.isClosed)
  }

  @Test("G05: the notices of a service end when the service ends, and give the reason")
  func streamEnds() async throws {
    let bus = try await bus([try TickingSensor(Self.gnss), try TickingSensor("motion.accelerometer")])
    let app = try await bus.attach("app", authorized: .always)
    async let _ = bus.flow()
    func end(
      _ name: String, _ request: some ServiceRequest, _ act: @escaping @Sendable () async -> Void
    ) async throws -> ServiceEnd? {
      let notices = try await app.ask(name, for: request)
      await act()
      for await _ in notices {}
      return notices.end
    }
    #expect(try await end("here", FixRequest(timeout: .seconds(30))) {} == .finished)
    #expect(try await end("way", LocationUpdates(accuracy: .meters(10))) { await app.end("way") } == .ended)
    let denied = try await end("no", LocationUpdates(accuracy: .meters(10))) { await app.authorize(.denied) }
    guard case .failed(let failure)? = denied else {
      Issue.record("\(String(describing: denied)) is not a failure")
      return
    }
    #expect(failure.code == .denied)
    await app.authorize(.always)
    #expect(try await end("bye", LocationUpdates(accuracy: .meters(10))) { await app.detach() } == .detached)
    await bus.close()
  }

  @Test("L02: a loop over the notices of a fix request ends when no position arrives")
  func noFix() async throws {
    let bus = try await bus([try TickingSensor(Self.gnss, isSilent: true)])
    let app = try await bus.attach("map", authorized: .whenInUse)
    async let _ = bus.flow()
    let here: Fix? = try await app.withService("here", FixRequest(timeout: .seconds(5))) { notices in
      for await notice in notices { if case LocationNotice.answer(let fix) = notice { return fix } }
      return nil
    }
    #expect(here == nil)
    await bus.close()
  }

  @Test("F14: a position that is too old when the app reads it is flagged as stale")
  func slowReader() async throws {
    let gnss = try TickingSensor(Self.gnss)
    let bus = try await bus([gnss, try TickingSensor("motion.accelerometer")])
    let app = try await bus.attach("app", authorized: .always)
    let notices = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10), pausing: false))
    try await bus.advance(by: .seconds(60))
    var reader = notices.makeAsyncIterator()
    guard case LocationNotice.fixes(let old)? = await reader.next() as? LocationNotice else {
      Issue.record("the first notice has no fixes")
      return
    }
    #expect(!old.contains { !$0.isStale })
    await bus.close()
  }
}
