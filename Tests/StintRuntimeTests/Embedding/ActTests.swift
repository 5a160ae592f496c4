import Stint
import StintModel
import StintUnits
import Testing

@Suite struct ActTests {
  @Test("N08 N10: an app receives the emit, tell and launch acts of rules, each with its rule and time")
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
}
