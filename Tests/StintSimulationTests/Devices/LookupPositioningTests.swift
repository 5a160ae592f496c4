import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

@Suite struct LookupPositioningTests {
  @Test(
    "each lookup costs a fixed energy; the first lookup is immediate, and one lookup follows each period",
    arguments: [("location.wifi", Int64(600_000_000)), ("location.cell", 50_000_000)])
  func price(device: String, price: Int64) async throws {
    var bench = try await Laboratory().bench(DeviceID(device))
    try await bench.apply(Setting(isOn: true, period: .minutes(1)))
    await bench.advance(by: .minutes(10))
    try await bench.apply(.off)
    await bench.advance(by: .minutes(10))
    #expect(bench.sampleSeconds == (0...10).map { Double($0 * 60) })
    #expect(bench.energy(since: Laboratory.start) == Energy(nanojoules: 11 * price))
    #expect(bench.stateLog == ["ready 0", "off 600"])
  }

  @Test("repeated starts cause at most one lookup in 30 s") func fastest() async throws {
    var bench = try await Laboratory().bench("location.wifi")
    for _ in 0..<12 {
      try await bench.apply(Setting(isOn: true, period: .seconds(1)))
      await bench.advance(by: .seconds(10))
      try await bench.apply(.off)
    }
    #expect(bench.sampleSeconds == [0, 30, 60, 90, 120])
  }

  @Test(
    "accuracies are within the manifest's figures, and 95 % of errors are within the accuracies",
    arguments: [("location.wifi", 40.0, 150.0), ("location.cell", 800, 2500)])
  func accuracy(device: String, best: Double, worst: Double) async throws {
    var bench = try await Laboratory().bench(DeviceID(device))
    try await bench.apply(Setting(isOn: true, period: .seconds(30)))
    await bench.advance(by: .hours(10))
    let samples = bench.samples
    #expect(samples.allSatisfy { $0.third >= best && $0.third <= worst })
    let within = samples.count { sample in
      Laboratory.place(sample.first, sample.second).distance(to: Laboratory.origin) <= sample.third
    }
    #expect(abs(Double(within) / Double(samples.count) - 0.95) < 0.02, "\(within) of \(samples.count)")
  }

  @Test("the odometer counts less than 1 km at rest, and its error for a drive is at most 10 %")
  func distance() async throws {
    let legs = [Leg.resting(.hours(2)), .moving(.automotive, .hours(1), speed: 20)]
    var bench = try await Laboratory(legs: legs).bench("location.wifi")
    try await bench.apply(Setting(isOn: true, period: .seconds(30)))
    await bench.advance(by: .hours(2))
    let still = distance(bench)
    await bench.advance(by: .hours(1))
    #expect(still < 1000, "\(still)")
    #expect(abs((distance(bench) - still) / 72_000 - 1) < 0.1)
  }

  @Test("a changed period counts from the last lookup")
  func changedPeriod() async throws {
    var bench = try await Laboratory().bench("location.cell")
    try await bench.apply(Setting(isOn: true, period: .minutes(10)))
    await bench.advance(by: .minutes(2))
    try await bench.apply(Setting(isOn: true, period: .minutes(5)))
    await bench.advance(by: .minutes(4))
    try await bench.apply(Setting(isOn: true, period: .minutes(1)))
    await bench.advance(by: .seconds(30))
    #expect(bench.sampleSeconds == [0, 300, 360])
  }

  private func distance(_ bench: PluginBench) -> Double {
    guard case .number(let metres)? = bench.values(of: "distance").last?.value else { return .nan }
    return metres
  }
}
