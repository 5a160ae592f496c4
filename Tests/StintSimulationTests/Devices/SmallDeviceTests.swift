import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

@Suite struct SmallDeviceTests {
  @Test("a wake-up costs 30 mJ, or nothing while the processor is awake")
  func wakeUps() async throws {
    var bench = try await Laboratory().bench("host.processor")
    await bench.advance(by: .seconds(10))
    await bench.wakeProcessor()
    await bench.advance(by: .seconds(10))
    try await bench.apply(Setting(isOn: true))
    await bench.wakeProcessor()
    await bench.advance(by: .seconds(10))
    try await bench.apply(.off)
    await bench.advance(by: .seconds(10))
    let floor = Energy(nanojoules: 3_000_000 * 30)
    #expect(bench.energy(since: Laboratory.start) == floor + Energy(nanojoules: 30_000_000 + 1_500_000_000))
  }

  @Test("the battery level falls in steps of one percent")
  func batterySteps() async throws {
    let laboratory = Laboratory()
    var bench = try await laboratory.bench("power.battery")
    for step in 1...6 {
      laboratory.meter.total = Energy(nanojoules: 200_000_000_000 * Int64(step))
      await bench.advance(by: .minutes(5))
    }
    // 540 J are one percent of 54 kJ.
    #expect(bench.values(of: "battery.level").map(\.value) == [.number(1), .number(0.99), .number(0.98)])
    #expect(bench.values(of: "battery.level").map { ($0.at - Laboratory.start).seconds } == [0, 600, 1500])
    #expect(bench.values(of: "power.source").map(\.value) == [.symbol(0)])
  }

  @Test("the battery level falls from the level in the scenario")
  func setBatteryLevel() async throws {
    let changes = [
      FactChange(at: .zero, values: [FactAssignment(path: "battery.level", text: "50 %")]),
      FactChange(at: .minutes(12), values: [FactAssignment(path: "battery.level", text: "21 %")]),
    ]
    let laboratory = Laboratory(changes: changes)
    var bench = try await laboratory.bench("power.battery")
    await bench.advance(by: .minutes(20))
    laboratory.meter.total = Energy(nanojoules: 1_080_000_000_000)
    await bench.advance(by: .minutes(5))
    let levels = bench.values(of: "battery.level")
    #expect(levels.map(\.value) == [.number(0.5), .number(0.21), .number(0.19)])
    #expect(levels.map { ($0.at - Laboratory.start).seconds } == [0, 720, 1500])
  }

  @Test("the host app publishes nothing without a scenario event")
  func hostApp() async throws {
    var bench = try await Laboratory().bench("host.app")
    await bench.advance(by: .hours(1))
    #expect(bench.events.isEmpty)
  }
}
