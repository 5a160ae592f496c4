import StintModel
import StintPluginKit
import StintSimulation
import StintUnits
import Testing

@Suite struct DeterminismTests {
  private let settings: [(DeviceID, Setting)] = [
    ("location.gnss", Setting(isOn: true, period: .seconds(1))),
    ("location.wifi", Setting(isOn: true, period: .seconds(30))),
    ("location.cell", Setting(isOn: true, period: .seconds(30))),
    ("motion.accelerometer", Setting(isOn: true, period: .milliseconds(40))),
  ]

  /// Returns a hash over all bits of the samples of the hike's first twenty minutes.
  private func fingerprint(seed: UInt64, steps: Int) async throws -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ word: UInt64) { hash = (hash ^ word) &* 0x0000_0100_0000_01B3 }
    for (device, setting) in settings {
      var scenario = try BuiltInScenarios.scenario(named: "day-hike")
      scenario.devices = [device]
      let plugin = try ReferencePhone(scenario, seed: seed, meter: EnergyMeter()).plugins()[0]
      var bench = PluginBench(plugin, at: scenario.start)
      try await bench.open()
      try await bench.apply(setting)
      for step in 1...steps {
        await bench.advance(to: scenario.start + .seconds(Int64(1200 * step / steps)))
      }
      for sample in bench.samples {
        mix(UInt64(bitPattern: sample.instant.nanoseconds))
        for value in [sample.first, sample.second, sample.third, sample.fourth] { mix(value.bitPattern) }
      }
    }
    return hash
  }

  @Test("samples have equal bits in debug and release builds, on every machine, for any time steps")
  func pinned() async throws {
    #expect(try await fingerprint(seed: 1, steps: 1) == 13_161_863_611_575_956_446)
    #expect(try await fingerprint(seed: 1, steps: 97) == 13_161_863_611_575_956_446)
    #expect(try await fingerprint(seed: 2, steps: 1) != 13_161_863_611_575_956_446)
  }
}
