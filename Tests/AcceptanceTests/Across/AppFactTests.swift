import Stint
import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

/// Facts that apps publish, and the rules that read them.
@Suite struct AppFactTests {
  private static let facts = [
    AppFact("hike.remaining", .quantity(unit: "m"), range: 0...100_000, meaning: "distance to the goal"),
    AppFact("hike.left", .quantity(unit: "s")), AppFact("view.rotatable", .truth),
    AppFact("app.mode", .words(["map", "list"]), maxAge: .seconds(60)),
  ]

  private func bus(_ facts: [AppFact] = facts) async throws -> Bus {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    return try await Bus(
      plugins: .linked(phone.plugins().filter { $0.manifest.device != "host.app" }),
      clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)), facts: facts)
  }

  @Test("X09 L35: when a call of `publish` returns, the policy has reacted to the fact")
  func reacts() async throws {
    let bus = try await bus()
    let folder = try ScratchFolder()
    try await bus.load(
      policies: folder.write(
        "near.stint",
        """
        policy "near" version 1
        use location.gnss as gps
        let near_goal = hike.remaining < 200 m
        rule there while near_goal { stop gps }
        rule off while app.mode is list { stop gps }
        """))
    let app = try await bus.attach("hike", authorized: .always)
    let other = try await bus.attach("other", authorized: .undecided)
    try await app.withDemand(.location(accuracy: .meters(10))) { _ in
      func isStopped() async -> Bool { await bus.why("location.gnss").contains("by near/there") }
      #expect(await !isStopped(), "an unknown distance is not near")
      try await app.publish("hike.remaining", .quantity(1, unit: "km"))
      #expect(await !isStopped())
      try await app.publish("hike.remaining", .quantity(150, unit: "m"))
      #expect(await isStopped())
      try await app.publish("hike.remaining", .unknown)
      #expect(await !isStopped())
      // The fact belongs to the client that published it last, and becomes unknown when that client detaches.
      try await app.publish("hike.remaining", .quantity(1, unit: "km"))
      try await other.publish("hike.remaining", .quantity(0, unit: "m"))
      try await app.publish("app.mode", .word("list"))
      try await app.publish("app.mode", .word("map"))
      try await app.publish("view.rotatable", true)
      #expect(await isStopped())
      await other.detach()
      #expect(await !isStopped())
    }
    await bus.close()
  }

  @Test("X09: `publish` refuses an undeclared fact and a wrong type, unit or range; the error names the fact")
  func refused() async throws {
    let bus = try await bus()
    let app = try await bus.attach("hike", authorized: .always)
    let wrong: [(String, AppFact.Value, String)] = [
      ("hike.left", .quantity(200, unit: "m"), "“hike.left” has the type “time”, but 200 m is length"),
      ("hike.left", .truth(true), "“hike.left” has the type “time”, but true is a Boolean value"),
      (
        "hike.left", .quantity(1, unit: "miles"), "“hike.left” is published in “miles”; there is no such unit"
      ),
      (
        "view.rotatable", .quantity(1, unit: "s"),
        "“view.rotatable” has the type “true or false”, but 1 s is time"
      ),
      ("app.mode", .word("globe"), "“app.mode” is one of map, list, and not “globe”"),
      ("app.mode", true, "“app.mode” has the type “one of map, list”, but true is a Boolean value"),
      (
        "hike.remaining", .quantity(-1, unit: "m"),
        "hike.remaining cannot be -1 m; its range is 0 m to 100 km"
      ),
      ("hike.remaining", .quantity(.nan, unit: "m"), "hike.remaining cannot be nan"),
      (
        "location.gnss.accuracy", .quantity(1, unit: "m"),
        "“location.gnss.accuracy” is published by location.gnss, not by apps; publish a declared fact"
      ),
      (
        "hike.goal", true,
        "“hike.goal” is not declared; add it to the facts of the bus or the site; declared facts: app.mode, "
          + "hike.left, hike.remaining, view.rotatable"
      ),
    ]
    for (path, value, sentence) in wrong {
      let error = await #expect(throws: Problem.self) { try await app.publish(path, value) }
      #expect(error?.code == .badFact)
      #expect(error?.description == sentence)
    }
    await app.detach()
    let gone = await #expect(throws: Problem.self) { try await app.publish("view.rotatable", true) }
    #expect(gone?.code == .detached)
    await bus.close()
    let closed = await #expect(throws: Problem.self) { try await app.publish("view.rotatable", true) }
    #expect(closed?.code == .closed)
  }

  @Test("X09: a bus with an invalid declaration of a fact cannot be made, and the error gives the reason")
  func badDeclarations() async throws {
    let wrong: [([AppFact], String)] = [
      ([AppFact("", .truth)], "not a valid fact name"),
      ([AppFact("hike..left", .truth)], "not a valid fact name"),
      ([AppFact("client.name", .truth)], "not a valid fact name"),
      ([AppFact("a.b", .truth), AppFact("a.b", .truth)], "twice"),
      ([AppFact("location.gnss.accuracy", .truth)], "a fact of a device"),
      ([AppFact("a.b", .quantity(unit: "furlongs"))], "does not exist"),
      ([AppFact("a.b", .truth, range: 0...1)], "is not a quantity"),
      ([AppFact("a.b", .words([]))], "needs at least one word"),
      ([AppFact("a.b", .words(["x", "x"]))], "needs at least one word"),
      ([AppFact("a.b", .quantity(unit: "m"), range: 0...(.infinity))], "must be finite"),
      ([AppFact("a.b", .truth, maxAge: .zero)], "more than 0 s"),
    ]
    for (facts, text) in wrong {
      let error = await #expect(throws: Problem.self) { try await bus(facts) }
      #expect(error?.code == .badFact)
      #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }
  }
}
