import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

/// Receivers with the figures of profiles.
@Suite struct ProfiledReceiverTests {
  private func bench() async throws -> PluginBench {
    var scenario = Laboratory(legs: [.moving(.walking, .hours(30))]).scenario
    scenario.devices = ["location.gnss"]
    let phone = ReferencePhone(
      scenario, seed: 1, meter: EnergyMeter(), profile: try DeviceProfile(named: "pixel5"))
    var bench = PluginBench(try phone.plugins()[0], at: Laboratory.start)
    try await bench.open()
    return bench
  }

  @Test("a period counts from the last fix, whatever the period before was") func fromTheLastFix()
    async throws
  {
    var bench = try await bench()
    try await bench.apply(Setting(isOn: true, period: .seconds(60)))
    await bench.advance(by: .seconds(95))
    try await bench.apply(Setting(isOn: true, period: .seconds(25)))
    await bench.advance(by: .seconds(40))
    try await bench.apply(Setting(isOn: true, period: .seconds(100)))
    await bench.advance(by: .seconds(90))
    // Cold after 30 s; 60 s later; 25 s after that, and again; then 100 s.
    #expect(bench.sampleSeconds == [30, 90, 115, 215])
  }

  @Test(
    "below its break-even it stays on, from it on it rests and searches anew",
    arguments: [
      (Int64(16), ["search 0", "track 30"]),
      (
        Int64(17), ["search 0", "track 30", "standby 30", "search 44", "track 47", "standby 47", "search 61"]
      ),
    ])
  func breakEven(seconds: Int64, diary: [String]) async throws {
    var bench = try await bench()
    try await bench.apply(Setting(isOn: true, period: .seconds(seconds)))
    await bench.advance(by: .seconds(62))
    #expect(bench.diary == diary)
  }
}
