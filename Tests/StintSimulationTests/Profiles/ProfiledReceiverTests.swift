import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

/// Tests the satellite receiver with the figures of a device profile.
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

  @Test("a new period, shorter or longer than the previous period, counts from the last fix")
  func fromTheLastFix() async throws {
    var bench = try await bench()
    try await bench.apply(Setting(isOn: true, period: .seconds(60)))
    await bench.advance(by: .seconds(95))
    try await bench.apply(Setting(isOn: true, period: .seconds(25)))
    await bench.advance(by: .seconds(40))
    try await bench.apply(Setting(isOn: true, period: .seconds(100)))
    await bench.advance(by: .seconds(90))
    // The first fix is cold, after 30 s. The next fixes follow after 60 s, 25 s and 100 s.
    #expect(bench.sampleSeconds == [30, 90, 115, 215])
  }

  @Test(
    "below the break-even period, the receiver stays on; above it, the receiver is in standby between fixes",
    arguments: [
      (Int64(16), ["search 0", "track 30"]),
      (
        Int64(17), ["search 0", "track 30", "standby 30", "search 44", "track 47", "standby 47", "search 61"]
      ),
    ])
  func breakEven(seconds: Int64, stateLog: [String]) async throws {
    var bench = try await bench()
    try await bench.apply(Setting(isOn: true, period: .seconds(seconds)))
    await bench.advance(by: .seconds(62))
    #expect(bench.stateLog == stateLog)
  }
}
