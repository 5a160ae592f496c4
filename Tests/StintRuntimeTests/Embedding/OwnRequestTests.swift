import Stint
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@Suite struct OwnRequestTests {
  @Test("a kind of request that the app defines is served under permission, and releases its device")
  func runs() async throws {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)))
    let app = try await bus.attach("trail-app", authorized: .whenInUse)
    async let _ = bus.flow()
    let speed = try #require(try await firstAlarm(app))
    #expect(speed > 1 && speed < 20)
    await app.authorize(.denied)
    let refused = await #expect(throws: Problem.self) { try await firstAlarm(app) }
    #expect(refused?.code == Problem.Code("denied"))
    await app.authorize(.always)
    let invalid = await #expect(throws: Problem.self) {
      _ = try await app.ask("bad", for: SpeedAlarm(limit: 0))
    }
    #expect(invalid?.cause.contains("the limit is 0.0 m/s") == true, "\(String(describing: invalid))")
    await bus.close()
  }

  @Test("the guide prints the example of an own kind of request as it runs here")
  func printed() throws {
    func plain(_ path: String) throws -> String {
      String(decoding: try FileText.read(Repository.path(path)), as: UTF8.self).filter { !$0.isWhitespace }
    }
    let guide = try plain("Sources/Stint/Stint.docc/OwnRequests.md")
    let printed = try #require(
      guide.split(separator: "```swift").dropFirst().first?.split(separator: "```").first)
    let run = try plain("Tests/StintRuntimeTests/Embedding/OwnRequestExample.swift")
    #expect(run == String(printed))
  }
}
