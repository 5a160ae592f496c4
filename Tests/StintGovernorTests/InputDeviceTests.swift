import StintGovernor
import StintModel
import StintUnits
import Testing

/// Tests of devices that use other devices as inputs.
@Suite struct InputDeviceTests {
  private static let parts = [
    part("test.fused", inputs: ["test.turn", "test.push"]), part("test.push"), part("test.turn"),
  ]

  private static func part(_ path: String, inputs: [DeviceID] = []) -> Manifest {
    Manifest(
      device: DeviceID(path), kind: .sensor, title: "",
      states: [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
      attributes: [AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.0001...50)],
      inputs: inputs)
  }

  private static let policy = """
    policy "game" version 1
    use test.fused as fused
    rule play while battery.level above 50 % { start fused for "game" with { rate 5 Hz } }
    """

  private func bench(_ parts: [Manifest] = parts) throws -> GovernorBench {
    var bench = try GovernorBench(extra: parts)
    try bench.load(Self.policy, at: 0)
    bench.set("battery.level", "90 %", at: 1)
    return bench
  }

  @Test(
    "M12: the inputs of a fused sensor start with the sensor, at the sensor's rate, and stop with the sensor"
  )
  func start() throws {
    var bench = try bench()
    bench.set("battery.level", "10 %", at: 61)
    bench.run(to: 100)
    for part in Self.parts {
      #expect(bench.settings(of: part.device) == ["1: on, every 200 ms", "61: off"], "\(part.device)")
    }
    let ledger = bench.governor.ledger(at: bench.instant(100))
    let minute: Energy? = Energy(joules: 60 * 0.001)
    for part in Self.parts { #expect(ledger.byDevice[part.device] == minute) }
    #expect(ledger.isBalanced)
    #expect(bench.governor.unexplained(at: bench.instant(100)) == .zero)
  }

  @Test("M12: an input with a demand of its own stays on for this demand, and a reload changes no setting")
  func shared() throws {
    var bench = try bench()
    _ = bench.raise("steps", on: "test.push", DemandSettings(period: .seconds(1)), at: 10)
    _ = try bench.reload(Self.policy, at: 20)
    #expect(bench.settings(of: "test.turn") == ["1: on, every 200 ms"])
    bench.set("battery.level", "10 %", at: 61)
    bench.run(to: 100)
    #expect(bench.settings(of: "test.push") == ["1: on, every 200 ms", "61: on, every 1 s"])
    #expect(bench.settings(of: "test.turn") == ["1: on, every 200 ms", "61: off"])
  }

  @Test("M12: a fused sensor is unavailable while one of its inputs is unavailable")
  func lost() throws {
    var bench = try bench()
    let turn = bench.governor.vocabulary.device("test.turn") ?? -1
    bench.input(.available(device: turn, false), at: 30)
    bench.input(.available(device: turn, true), at: 40)
    bench.run(to: 50)
    #expect(bench.settings(of: "test.fused") == ["1: on, every 200 ms", "30: off", "40: on, every 200 ms"])
    #expect(bench.settings(of: "test.push") == ["1: on, every 200 ms"])
  }

  @Test("M12: a fused sensor whose input does not exist is unavailable")
  func incomplete() throws {
    var bench = try bench(Array(Self.parts.dropLast()))
    bench.run(to: 50)
    #expect(bench.settings(of: "test.fused").isEmpty)
    #expect(bench.log.contains { $0.contains("grant game") && $0.contains("test.fused unavailable") })
  }
}
