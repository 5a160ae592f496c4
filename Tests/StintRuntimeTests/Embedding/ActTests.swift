import Stint
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintUnits
import Testing

@Suite struct ActTests {
  @Test("N08 N10: an app receives the `emit`, `tell` and `launch` acts of rules, each with its rule and time")
  func acts() async throws {
    let acts = Locked<[PolicyAct]>([])
    let bus = try await Bus(
      plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual,
      facts: [AppFact("hike.remaining", .quantity(unit: "m"))],
      onAct: { act in acts.withLock { $0.append(act) } })
    try await bus.load(
      text: """
        policy "hike" version 1
        use location.gnss as gps
        rule near when hike.remaining < 1 km { emit "nearly-there" tell "app" "Nearly there." }
        rule there when hike.remaining < 500 m { launch "watcher" }
        """)
    let app = try await bus.attach("app", authorized: .always)
    try await app.publish("hike.remaining", .quantity(5, unit: "km"))
    #expect(acts.withLock { $0 }.isEmpty)
    try await bus.advance(by: .seconds(7))
    try await app.publish("hike.remaining", .quantity(0.9, unit: "km"))
    try await app.publish("hike.remaining", .quantity(0.4, unit: "km"))
    let all = acts.withLock { $0 }
    #expect(
      all.map(\.action) == [
        .emit("nearly-there"), .message(client: "app", text: "Nearly there."), .launch(client: "watcher"),
      ])
    #expect(all.map(\.rule) == ["hike/near", "hike/near", "hike/there"])
    #expect(all.allSatisfy { $0.time == .seconds(7) })
    await bus.close()
  }

  @Test("an app receives a violated requirement once, with the name of the requirement")
  func violation() async throws {
    let acts = Locked<[PolicyAct]>([])
    let bus = try await Bus(
      plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual,
      facts: [AppFact("hike.remaining", .quantity(unit: "m"))],
      onAct: { act in acts.withLock { $0.append(act) } })
    try await bus.load(
      text: """
        policy "hike" version 1
        require hike.remaining < 10 km
        """)
    let app = try await bus.attach("app", authorized: .always)
    for kilometers in [5.0, 12, 13, 4] {
      try await app.publish("hike.remaining", .quantity(kilometers, unit: "km"))
    }
    let violations = acts.withLock { $0 }
    #expect(violations.map(\.rule) == ["hike/require-1"])
    #expect(violations.map(\.action) == [.violation("hike.remaining < 10 km")], "\(violations)")
    await bus.close()
  }

  @Test("a service that outlives its client asks the app to launch the client, with a reason")
  func launch() async throws {
    let launches = Locked<[String]>([])
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)),
      onLaunch: { client, reason in launches.withLock { $0.append("\(client): \(reason)") } })
    let app = try await bus.attach("app", authorized: .always)
    _ = try await app.ask("moves", for: MovesRequest())
    await app.detach()
    for _ in 0..<240 where launches.withLock({ $0.isEmpty }) { try await bus.advance(by: .seconds(60)) }
    let first = try #require(launches.withLock { $0.first })
    #expect(first.hasPrefix("app: ") && first.count > 8, "\(first)")
    await bus.close()
  }
}
