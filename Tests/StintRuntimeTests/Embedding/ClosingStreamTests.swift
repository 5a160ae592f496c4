import StintModel
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

@Suite struct ClosingStreamTests {
  @Test("X08: closing the bus delivers the held samples of a device, then ends the stream with the reason")
  func lastBatch() async throws {
    let folder = TemporaryFolder()
    folder.write(
      "hold.stint",
      """
      policy "hold" version 1
      use test.held as held required
      rule calm always { batch held until 1 h }
      """)
    let bus = try await Bus(
      plugins: .linked([InProcessHoldingSensor(), try TickingSensor("location.gnss")]), clock: .virtual)
    try await bus.load(policies: folder.path)
    _ = try await bus.attach("app", authorized: .always)
    let held = try await bus.anyCalls.open(.samples(of: "test.held", every: .seconds(1)), for: "app")
    try await bus.advance(by: .seconds(5))
    await bus.close()
    var samples = 0
    let error = await #expect(throws: Problem.self) {
      for try await batch in held.batches { samples += batch.samples.count }
    }
    #expect((4...5).contains(samples))
    #expect(error?.code == .closed)
  }

  @Test("X08: closing the bus delivers the fixes that a receiver holds, then ends the location updates")
  func lastFixes() async throws {
    let folder = TemporaryFolder()
    folder.write(
      "hold.stint",
      """
      policy "hold" version 1
      use location.gnss as gps required
      rule calm always { batch gps until 2 h }
      """)
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)))
    try await bus.load(policies: folder.path)
    let app = try await bus.attach("app", authorized: .always)
    let notices = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10), pausing: false))
    try await bus.advance(by: .seconds(300))
    await bus.close()
    var fixes = 0
    for await notice in notices { if case LocationNotice.fixes(let more) = notice { fixes += more.count } }
    #expect(fixes > 200)
    #expect(notices.end == .closed)
  }
}
