import Stint
import StintModel
import StintServices
import StintSimulation
import StintUnits
import Testing

private struct BatchCounter: Service, ServiceRequest {
  struct Counted: ServiceNotice, Hashable { var batches: Int }
  struct Reset: ServiceCommand {}

  var batches = 0
  var commandType: (any ServiceCommand.Type)? { Reset.self }
  func candidates(_ roles: DeviceRoles) -> [DeviceID] { ["motion.accelerometer"] }
  func need(_ roles: DeviceRoles) -> PermissionNeed { .location(.whenInUse) }

  func makeService() -> any Service { self }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    _ = outbox.raise("motion.accelerometer")
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .batch:
      batches += 1
      outbox.notify(Counted(batches: batches))
    case .command(_ as Reset): batches = 0
    default: break
    }
  }
}

@Suite struct EmbeddedServiceTests {
  private func bus(services: String? = nil) async throws -> Bus {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    return try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)),
      services: services)
  }

  @Test("X08: a service sends notices in order while the closure runs, and its device is off afterwards")
  func scoped() async throws {
    let bus = try await bus()
    let app = try await bus.attach("steps", authorized: .whenInUse)
    let counts = try await app.withService("count", BatchCounter()) { notices in
      #expect(await bus.why("motion.accelerometer").contains("demanded by  steps"))
      async let _ = bus.flow()
      var counts: [Int] = []
      for await notice in notices {
        if let counted = notice as? BatchCounter.Counted { counts.append(counted.batches) }
        if counts.count == 5 { try await app.send("count", BatchCounter.Reset()) }
        // Notices that were sent before the command was processed come first.
        if counts.dropFirst().last == 1 || counts.count > 2000 { break }
      }
      #expect(notices.lost == 0)
      return counts
    }
    #expect(counts.prefix(5) == [1, 2, 3, 4, 5])
    #expect(counts.last == 1)
    #expect(await bus.why("motion.accelerometer").contains("no client"))
    await bus.close()
  }

  @Test("G05: a refused request has a code, and the name of an ended service can be used again")
  func refusals() async throws {
    let bus = try await bus()
    let app = try await bus.attach("steps", authorized: .undecided)
    let undecided = await #expect(throws: Problem.self) { try await app.ask("count", for: BatchCounter()) }
    #expect(undecided?.code == Problem.Code("undecided"))
    await app.authorize(.always)
    _ = try await app.ask("count", for: BatchCounter())
    let duplicate = await #expect(throws: Problem.self) { try await app.ask("count", for: BatchCounter()) }
    #expect(duplicate?.code == .duplicate)
    await app.end("count")
    await app.end("count")
    _ = try await app.ask("count", for: BatchCounter())
    await bus.close()
    await #expect(throws: Problem.self) { try await app.ask("other", for: BatchCounter()) }
  }

  @Test(
    "X02: an app whose permission is withdrawn gets a failure with the code `denied`, and its device is off"
  )
  func revocation() async throws {
    let bus = try await bus()
    let app = try await bus.attach("steps", authorized: .always)
    try await app.withService("count", BatchCounter()) { notices in
      async let _ = bus.flow()
      var failures: [String] = []
      for await notice in notices {
        if let failure = notice as? ServiceFailure {
          failures.append(failure.code.name)
          break
        }
        await app.authorize(.denied)
      }
      #expect(failures == ["denied"])
      #expect(await bus.why("motion.accelerometer").contains("no client"))
    }
    await bus.close()
  }

  @Test("F10: a detached app has no demand")
  func detach() async throws {
    let bus = try await bus()
    let app = try await bus.attach("steps", authorized: .always)
    _ = try await app.ask("count", for: BatchCounter())
    #expect(await bus.why("motion.accelerometer").contains("steps"))
    await app.detach()
    #expect(await bus.why("motion.accelerometer").contains("no client"))
    await bus.close()
  }

  @Test("notices that are unread at `close()` reach the next process of the client, once and in order")
  func unread() async throws {
    let folder = TemporaryFolder()
    let first = try await bus(services: folder.at("services.json"))
    let app = try await first.attach("guard", authorized: .always)
    let centre = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    let home = Region("home", centre: centre, radius: .meters(150))
    let notices = try await app.ask("regions", for: RegionsRequest([home]))
    try await first.advance(by: .seconds(3600))
    await first.close()
    var old: [RegionNotice] = []
    for await case let notice as RegionNotice in notices { old.append(notice) }
    try #require(!old.isEmpty)
    let second = try await bus(services: folder.at("services.json"))
    let again = try await second.attach("guard", authorized: .always)
    let kept = await again.notices(of: "regions")
    await again.end("regions")
    var fresh: [RegionNotice] = []
    for await case let notice as RegionNotice in kept { fresh.append(notice) }
    #expect(fresh == old)
    await second.close()
    let third = try await bus(services: folder.at("services.json"))
    let last = try await third.attach("guard", authorized: .always).notices(of: "regions")
    for await notice in last { Issue.record("read notices come again: \(notice)") }
    await third.close()
  }
}
