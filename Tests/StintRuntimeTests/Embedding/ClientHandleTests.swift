import Stint
import StintServices
import StintTestSupport
import Testing

/// The handle of a client after the client was detached, after another client has got its name, and after
/// the bus was closed.
@Suite struct ClientHandleTests {
  private func bus(facts: [AppFact] = []) async throws -> Bus {
    try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual, facts: facts)
  }

  @Test("a detached client cannot act on the client that got its name later")
  func stale() async throws {
    let bus = try await bus(facts: [AppFact("hike.left", .truth)])
    let old = try await bus.attach("app", authorized: .always)
    await old.detach()
    let new = try await bus.attach("app", authorized: .denied)
    await old.authorize(.always)
    await old.setPresence(.foreground)
    #expect(await new.permissions == .denied)
    #expect(await bus.fact("app.state") == .unknown)
    #expect(await old.permissions == nil)
    await new.authorize(.always)
    _ = try await new.ask("way", for: LocationUpdates(accuracy: .meters(10)))
    #expect(await !old.end("way"))
    #expect(await old.notices(of: "way").end == .detached)
    await old.detach()
    let calls: [@Sendable () async throws -> Void] = [
      { try await old.send("way", LocationCommand.setPausing(true)) },
      { _ = try await old.ask("here", for: FixRequest()) },
      { try await old.withDemand(.location(accuracy: .meters(10))) { _ in } },
      { try await old.publish("hike.left", true) },
      { _ = try await old.outlook(for: "location.gnss") },
    ]
    for call in calls {
      let problem = await #expect(throws: Problem.self) { try await call() }
      #expect(problem?.code == .detached)
    }
    #expect(await new.end("way"))
    await bus.close()
    #expect(await new.permissions == nil, "the bus is closed")
  }

  @Test("a call in progress during a detach ends before another client can get the name")
  func callInProgress() async throws {
    let bus = try await bus()
    for round in 0..<200 {
      let old = try await bus.attach("app", authorized: .always)
      // The calls and the detach run at the same time, in an order that differs from round to round.
      async let first: () = old.authorize(.always)
      async let notices = try? old.ask("way", for: FixRequest())
      async let second: () = old.detach()
      async let third: () = old.authorize(.always)
      await old.detach()
      let new = try await bus.attach("app", authorized: .denied)
      #expect(await new.permissions == .denied, "round \(round)")
      #expect(await !new.end("way"), "round \(round)")
      _ = await (first, notices, second, third)
      #expect(await new.permissions == .denied, "round \(round)")
      await new.detach()
    }
    await bus.close()
  }

  @Test("a request for background use throws `denied` for a client that does not declare it")
  func background() async throws {
    let bus = try await bus()
    let app = try await bus.attach("app", authorized: .always, mayBackground: false)
    let updates = LocationUpdates(accuracy: .meters(10), background: true)
    for request in [updates, FixRequest(background: true)] as [any ServiceRequest] {
      let problem = await #expect(throws: Problem.self) { _ = try await app.ask("it", for: request) }
      #expect(problem?.code == .denied, "\(request)")
    }
    let demand = DemandRequest.location(accuracy: .meters(10), background: true)
    let problem = await #expect(throws: Problem.self) { try await app.withDemand(demand) { _ in } }
    #expect(problem?.code == .denied)
    await bus.close()
  }

  @Test("a fact that no policy can read is refused", arguments: ["true", "false", "and.or", "not"])
  func unreadable(path: String) async throws {
    for kind in [AppFact.Kind.truth, .quantity(unit: "m"), .words(["near", "far"])] {
      let problem = await #expect(throws: Problem.self) {
        _ = try await Bus(plugins: .linked([]), clock: .virtual, facts: [AppFact(path, kind)])
      }
      #expect(problem?.code == .badFact, "\(path) \(kind)")
    }
  }

  @Test("a fact that policies can read is accepted, also when its words look like words of the language")
  func readable() async throws {
    let facts = [
      AppFact("hike.left", .quantity(unit: "h")), AppFact("view.rotatable", .truth),
      AppFact("trip.mode", .words(["near", "far", "on_foot"])),
    ]
    let bus = try await Bus(plugins: .linked([]), clock: .virtual, facts: facts)
    await bus.close()
  }
}
