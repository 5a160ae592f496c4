import Stint
import StintFormats
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

  private func bus(_ file: String, types: [any Persistent.Type]) async throws -> Bus {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    return try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)),
      services: file, types: types)
  }

  @Test(
    "an own service continues in the next process when the bus knows its types, and is reported lost otherwise",
    arguments: [true, false])
  func continues(isKnown: Bool) async throws {
    let folder = TemporaryFolder()
    let types: [any Persistent.Type] = [SpeedService.self, SpeedNotice.self]
    let first = try await bus(folder.at("services.json"), types: types)
    let app = try await first.attach("trail-app", authorized: .always)
    _ = try await app.ask("fast", for: SpeedAlarm(limit: 1))
    await first.close()

    let second = try await bus(folder.at("services.json"), types: isKnown ? types : [])
    let again = try await second.attach("trail-app", authorized: .always)
    async let _ = second.flow()
    var notices = await again.notices(of: "fast").makeAsyncIterator()
    let notice = await notices.next()
    if isKnown {
      guard case SpeedNotice.exceeded(let speed)? = notice else {
        Issue.record("expected a speed, found \(String(describing: notice))")
        return
      }
      #expect(speed > 1)
    } else {
      #expect((notice as? ServiceFailure)?.code == .lost)
    }
    await second.close()
  }

  @Test("a test runs the own service on a board, without a bus")
  func board() throws {
    let manifest = try ManifestReader.manifest(path: Repository.path("Plugins/Gpsd/manifest.json"))
    var board = ServiceBoard(Vocabulary(manifests: [manifest]), at: .epoch)
    let first = board.step(
      [
        .attach("app", permissions: .whenInUse, mayBackground: false),
        .ask(ServiceID("app", "fast"), SpeedAlarm(limit: 3), receivers: .both),
      ], at: .epoch)
    let demands = first.compactMap { if case .raise(let demand) = $0 { demand } else { nil } }
    #expect(demands.map(\.wants.accuracy) == [20])
    let samples = [2.0, 4, 5].enumerated().map { number, speed in
      Sample(instant: .epoch, sequence: UInt64(number), 47, 8, 5, speed)
    }
    let batch = StintModel.Batch(device: manifest.device, samples: samples, reason: .immediate)
    let effects = board.step([.batch(batch, demands.map(\.id))], at: .epoch + .seconds(1))
    let speeds = effects.compactMap { effect -> Double? in
      if case .notice(_, SpeedNotice.exceeded(let speed)) = effect { speed } else { nil }
    }
    #expect(speeds == [4])
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
