import StintGovernor
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// Tests with clients that are killed at random instants while a sensor holds samples for them.
@Suite struct KilledClientTests {
  private static let linger = 5.0

  @Test(
    "F10 W1: after a client is killed, held samples are delivered, and the sensor is off after its linger"
  )
  func kills() throws {
    var random = SeededGenerator(seed: 10)
    var held = 0
    let trials = Trials(10_000)
    for round in trials.rounds {
      var bench = try GovernorBench()
      var demands: [DemandID] = []
      var holds = false
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let latency: TimeSpan? = Bool.random(using: &random) ? .minutes(1) : nil
        holds = holds || latency != nil
        let second = Double(Int.random(in: 0..<100_000, using: &random)) / 1000
        demands.append(
          bench.raise(
            "app", DemandSettings(accuracy: 10, latency: latency), at: bench.second(notBefore: second)))
      }
      let death = bench.second(notBefore: Double(Int.random(in: 0..<300_000, using: &random)) / 1000)
      bench.run(to: death)
      let wasHolding = bench.setting.isHolding
      let before = bench.effects.count
      bench.die(demands, at: death)
      bench.run(to: death + Self.linger - 0.001)
      #expect(bench.setting.isOn, "round \(round)")
      bench.run(to: death + Self.linger)
      let after = bench.effects.dropFirst(before)
      let drained = after.firstIndex(of: .drain(device: bench.sensor, .ended))
      let off = after.firstIndex(of: .set(device: bench.sensor, .off))
      #expect(off != nil, "round \(round)")
      #expect(bench.governor.demandCount == 0)
      guard wasHolding else { continue }
      held += 1
      #expect(drained != nil && drained ?? 0 < off ?? 0, "round \(round): held samples are lost")
      #expect(bench.log.contains { $0.contains("drain test.sensor") })
    }
    #expect(held > trials.share(of: 1000))
  }
}

extension GovernorBench {
  fileprivate func second(notBefore second: Double) -> Double {
    max(second, (governor.now - start).seconds)
  }

  /// Releases all demands of a client at one instant, as after the end of its process.
  fileprivate mutating func die(_ demands: [DemandID], at second: Double) {
    for demand in demands { input(.release(demand), at: second) }
  }
}

extension Governor {
  fileprivate var demandCount: Int { status(of: "test.sensor")?.demands.count ?? -1 }
}
