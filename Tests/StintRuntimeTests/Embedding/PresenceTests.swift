import Stint
import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite struct PresenceTests {
  private struct Stage {
    let bus: Bus
    let first: Client
    let second: Client
  }

  private func stage() async throws -> Stage {
    let sensors = [try TickingSensor("location.gnss"), try TickingSensor("motion.accelerometer")]
    let bus = try await Bus(plugins: .linked(sensors), clock: .virtual)
    return Stage(
      bus: bus, first: try await bus.attach("first", authorized: .always),
      second: try await bus.attach("second", authorized: .always))
  }

  /// Makes a demand, and returns the number of its batches in ten seconds. `number` is the number of the
  /// demand among all demands of the bus, from 1.
  private func count(
    _ number: Int, of client: Client, _ stage: Stage, background: Bool = false
  ) async throws -> Int {
    try await client.withDemand(.location(accuracy: .meters(10), background: background)) { batches in
      try await stage.bus.advance(by: .seconds(10))
      // Ends the stream after its batches.
      await client.end("#\(number)")
      var count = 0
      for try await _ in batches { count += 1 }
      return count
    }
  }

  @Test("L16: while a client is in the background, only its own demands without `background` are suspended")
  func perClient() async throws {
    let stage = try await stage()
    await stage.first.setPresence(.foreground)
    await stage.second.setPresence(.background)
    #expect(try await count(1, of: stage.first, stage) == 10)
    #expect(try await count(2, of: stage.second, stage) == 0)
    #expect(try await count(3, of: stage.second, stage, background: true) == 10)
    await stage.second.setPresence(.foreground)
    #expect(try await count(4, of: stage.second, stage) == 10)
    await stage.bus.close()
  }

  @Test(
    "L16: app.state is foreground if a client is in the foreground, and unknown if no client has a presence")
  func derived() async throws {
    let stage = try await stage()
    try await stage.bus.load(
      text: """
        policy "p" version 1
        use location.gnss as gps
        rule back while app.state is background { stop gps }
        rule front while app.state is foreground { downgrade gps to 100 m }
        """)
    func rule() async throws -> String? {
      try await stage.second.withDemand(.location(accuracy: .meters(10), background: true)) { _ in
        let why = await stage.bus.why("location.gnss")
        return ["p/back", "p/front"].first { why.contains("by \($0)") }
      }
    }
    #expect(try await rule() == nil)
    await stage.first.setPresence(.background)
    #expect(try await rule() == "p/back")
    await stage.second.setPresence(.foreground)
    #expect(try await rule() == "p/front")
    await stage.first.setPresence(.foreground)
    await stage.second.setPresence(.background)
    #expect(try await rule() == "p/front")
    await stage.first.detach()
    #expect(try await rule() == "p/back")
    await stage.second.detach()
    let other = try await stage.bus.attach("other", authorized: .always)
    try await other.withDemand(.location(accuracy: .meters(10))) { _ in
      #expect(await !stage.bus.why("location.gnss").contains("by p/"))
    }
    await stage.bus.close()
  }

  @Test("L16: clients cannot publish app.state, and an app can declare it only with its standard type")
  func published() async throws {
    let stage = try await stage()
    let error = await #expect(throws: Problem.self) {
      try await stage.first.publish("app.state", .word("background"))
    }
    #expect(error?.code == .badFact)
    await stage.bus.close()
    let words = ["foreground", "background"]
    let bus = try await Bus(
      plugins: .linked([]), clock: .virtual, facts: [AppFact("app.state", .words(words))])
    await bus.close()
    let other = await #expect(throws: Problem.self) {
      try await Bus(plugins: .linked([]), clock: .virtual, facts: [AppFact("app.state", .truth)])
    }
    #expect(other?.code == .badFact)
  }

  @Test("L16: updates of a client in the background stop, and continue in the foreground")
  func service() async throws {
    let stage = try await stage()
    let notices = try await stage.first.ask(
      "way", for: LocationUpdates(accuracy: .meters(10), pausing: false))
    await stage.first.setPresence(.background)
    try await stage.bus.advance(by: .seconds(10))
    #expect(await stage.bus.why("location.gnss").contains("background"))
    await stage.first.setPresence(.foreground)
    try await stage.bus.advance(by: .seconds(10))
    await stage.first.end("way")
    var fixes = 0
    for await notice in notices {
      if case LocationNotice.fixes(let some) = notice { fixes += some.count }
    }
    #expect(fixes == 10)
    await stage.bus.close()
  }
}
