import Foundation
import Stint
import StintSimulation
import Testing

@Suite struct OwnRequestTests {
  /// Advances virtual time in steps of a second until the task is cancelled or the bus is closed.
  private func flow(_ bus: Bus) async {
    while !Task.isCancelled {
      do { try await bus.advance(by: .seconds(1)) } catch { return }
    }
  }

  @Test(
    "an app's own kind of request is served; a request that is invalid or not permitted is refused")
  func runs() async throws {
    let phone = try ReferencePhone(scenario: "day-hike")
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let app = try await bus.attach("trail-app", authorized: .whenInUse)
    async let _: Void = flow(bus)
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
    let phone = try ReferencePhone(scenario: "day-hike")
    return try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart), services: file, types: types
    )
  }

  @Test(
    "an app's own service continues on the next bus if that bus has its types; otherwise the service is lost",
    arguments: [true, false])
  func continues(isKnown: Bool) async throws {
    let folder = Folder()
    let types: [any Persistent.Type] = [SpeedService.self, SpeedNotice.self]
    let first = try await bus(folder.at("services.json"), types: types)
    let app = try await first.attach("trail-app", authorized: .always)
    _ = try await app.ask("fast", for: SpeedAlarm(limit: 1))
    await first.close()

    let second = try await bus(folder.at("services.json"), types: isKnown ? types : [])
    let again = try await second.attach("trail-app", authorized: .always)
    async let _: Void = flow(second)
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

  @Test("an app's own service can be tested on a board, without a bus")
  func board() throws {
    let manifest = try #require(ReferencePhone.manifest("location.gnss"))
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
    let batch = Batch(device: manifest.device, samples: samples, reason: .immediate)
    let effects = board.step([.batch(batch, demands.map(\.id))], at: .epoch + .seconds(1))
    let speeds = effects.compactMap { effect -> Double? in
      if case .notice(_, SpeedNotice.exceeded(let speed)) = effect { speed } else { nil }
    }
    #expect(speeds == [4])
  }

  @Test("the guide contains exactly the example in `OwnRequestExample.swift`")
  func printed() throws {
    func plain(_ path: String) throws -> String {
      try String(contentsOfFile: path, encoding: .utf8).filter { !$0.isWhitespace }
    }
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let repository = here.appendingPathComponent("../../..").standardizedFileURL.path
    let guide = try plain(repository + "/Sources/Stint/Stint.docc/OwnRequests.md")
    let printed = try #require(
      guide.split(separator: "```swift").dropFirst().first?.split(separator: "```").first)
    let run = try plain(here.path + "/OwnRequestExample.swift")
    #expect(run == String(printed))
  }
}
