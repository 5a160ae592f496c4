import Stint
import StintSimulation
import Testing

/// Location updates that pause themselves at rest.
@Suite struct PauseTests {
  /// A phone that lies still for hours.
  private static func phone() -> ReferencePhone {
    let scenario = Scenario(
      name: "rest", start: .epoch + .hours(24), duration: .hours(3),
      devices: ["location.gnss", "motion.accelerometer"], origin: Kind.home)
    return ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
  }

  @Test("updates that paused themselves are reported as paused, with the reason and the end of the pause")
  func reports() async throws {
    let folder = Folder()
    var files = Bus.Files()
    files.control = folder.at("control")
    let phone = Self.phone()
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart), files: files)
    let app = try await bus.attach("app", authorized: .always)
    #expect(try await app.outlook(for: "location.gnss").obstacles == [.noRequest])
    let notices = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10), activity: .fitness))
    var seconds = 0
    while try await app.outlook(for: "location.gnss").isServed, seconds < 7200 {
      try await bus.advance(by: .seconds(60))
      seconds += 60
    }
    let outlook = try await app.outlook(for: "location.gnss")
    guard case .paused(request: "way", let pause, let until)? = outlook.obstacles.first else {
      Issue.record("\(outlook)")
      await bus.close()
      return
    }
    #expect(outlook.obstacles.count == 1 && outlook.expected == nil)
    #expect(pause.reason == .atRest && pause.endsOnMovement && pause.reach != nil)
    #expect(until > bus.now)
    #expect(outlook.description.contains("the position is unlikely to change"), "\(outlook)")
    let device = try #require(await bus.devices().first { $0.name == "location.gnss" })
    #expect(device.waiting.map(\.status) == ["paused"] && device.waiting.first?.pause == pause)
    #expect(await bus.whyNot("location.gnss")?.contains("“way” of app: paused") == true)
    let status = try await Program.ask(#"{"ask":"status"}"#, at: folder.at("control"))
    #expect(status.contains(#""reason":"at-rest""#), "\(status)")
    await app.end("way")
    #expect(try await app.outlook(for: "location.gnss").obstacles == [.noRequest])
    var isReported = false
    for await notice in notices { if case LocationNotice.paused = notice { isReported = true } }
    #expect(isReported)
    await bus.close()
  }
}
