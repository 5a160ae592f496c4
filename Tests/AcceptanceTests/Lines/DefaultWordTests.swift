import StintModel
import StintServices
import StintUnits
import Testing

/// Tests the settings of `default` blocks that apply to the services of clients, on the simulated phone.
@Suite(.checkedPhones) struct DefaultWordTests {
  private func fixes(_ phone: Phone) -> [Fix] {
    phone.notices(LocationNotice.self, for: "app").flatMap { entry -> [Fix] in
      if case .fixes(let fixes) = entry.notice { fixes } else { [] }
    }
  }

  @Test("L36: a policy's filter of 10 m applies when the client sets no filter")
  func filter() async throws {
    let phone = try await Phone(
      [PlacesWorld.walk(seconds: 714, heading: 90)], devices: ["location.gnss", "host.app"],
      policy: "use location.gnss as gps\ndefault gps { filter 10 m }")
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(5), pausing: false))
    await phone.run(until: 714)
    let told = fixes(phone)
    #expect((70...125).contains(told.count), "\(told.count)")
    for (left, right) in zip(told, told.dropFirst()) {
      #expect(left.coordinate.distance(to: right.coordinate) >= 10)
    }
  }

  @Test(
    "L12: with `fuzz on`, no fix is more accurate than requested; with `fuzz off`, a finer fix is delivered",
    arguments: ["on", "off"])
  func fuzz(word: String) async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(120)], devices: ["location.cell", "location.wifi", "host.app"],
      policy: "use location.wifi as coarse\ndefault coarse { fuzz \(word) }")
    await phone.attach("app")
    await phone.attach("map")
    await phone.ask("map", "way", LocationUpdates(accuracy: .meters(100), pausing: false))
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(3000), pausing: false))
    await phone.run(until: 1800)
    let told = fixes(phone)
    #expect(!told.isEmpty)
    let finest = told.map(\.accuracy).min() ?? 0
    #expect(word == "on" ? finest >= 3000 : finest < 1000, "\(finest)")
  }

  @Test("N06 N14: a policy can make only the named session discretionary")
  func discretionary() async throws {
    for (name, waits) in [("sync", true), ("other", false)] {
      var line = try await PhoneTransferBench.open(
        [.staying(.hours(2)), .staying(.hours(5), hasWiFi: true)], facts: [(0, "power.source", "battery")],
        policy: "use radio.cellular as net\ndefault net { session \"\(name)\"  discretionary on }")
      await line.run(until: 1)
      await line.ask()
      await line.submit("job", TransferBench.download())
      await line.run(until: 4 * 3600)
      let finish = try #require(line.finish(of: "job"))
      #expect(waits ? finish >= 7200 : finish < 60, "\(name): \(finish)")
    }
  }

  @Test("N15 N19: a policy can exclude the cellular radio for all sessions")
  func wifiOnly() async throws {
    var line = try await PhoneTransferBench.open(
      [.staying(.hours(2)), .staying(.hours(5), hasWiFi: true)], facts: [(0, "power.source", "external")],
      policy: "use radio.cellular as net\ndefault net { cellular off }")
    await line.run(until: 1)
    await line.ask()
    await line.submit("job", TransferBench.download())
    await line.run(until: 4 * 3600)
    #expect(line.periods(of: "radio.cellular") == 0)
    #expect(try #require(line.finish(of: "job")) >= 7200)
  }
}
