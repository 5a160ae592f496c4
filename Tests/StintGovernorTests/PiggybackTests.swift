import StintGovernor
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// Tests of samples that are delivered during a wake-up with another cause, without a wake-up of their own.
@Suite struct PiggybackTests {
  private static let further = ["test.left", "test.right"].map { path in
    Manifest(
      device: DeviceID(path), kind: .sensor, title: "",
      states: [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
      attributes: [AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.0001...50)], fifo: 1000)
  }

  private func wants(_ latency: TimeSpan?, every period: TimeSpan = .seconds(1)) -> DemandSettings {
    DemandSettings(period: period, latency: latency)
  }

  private let message = DemandSettings(transfer: Transfer(bytesUp: 300, bytesDown: 300))

  /// Returns the times and reasons of a device's deliveries: `40 piggybacked; with …`.
  private func drains(_ bench: GovernorBench, of device: DeviceID = "test.sensor") -> [String] {
    bench.log.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 3)
      guard words.count == 4, words[1] == "drain", words[2] == device.path, let at = Int64(words[0]) else {
        return nil
      }
      return "\(Quantity.number(Double(at - bench.start.nanoseconds) / 1e9)) \(words[3])"
    }
  }

  @Test(
    "F16: delayed samples piggyback on another client's wake-up; the log and the status name that wake-up")
  func transfer() throws {
    var bench = try GovernorBench()
    _ = bench.raise("steps", wants(.seconds(100)), at: 0)
    _ = bench.raise("mail", on: "test.radio", message, at: 40)
    bench.run(to: 139)
    #expect(bench.governor.wakes == 1)
    #expect(bench.governor.wakesByDevice == ["test.wifi": 1])
    #expect(bench.governor.status(of: "test.sensor")?.lastPiggyback?.at == bench.instant(40))
    bench.run(to: 300)
    #expect(
      drains(bench) == [
        "40 piggybacked; with mail #2 [as asked] served", "140 reached 1 min 40 s", "240 reached 1 min 40 s",
      ])
    #expect(bench.governor.wakes == 3)
    // The ledger is balanced, and all energy has a cause.
    let ledger = bench.governor.ledger(at: bench.instant(139))
    #expect(ledger.isBalanced)
    #expect(bench.governor.unexplained(at: bench.instant(300)) == .zero)
  }

  @Test(
    "F16: two sensors with held samples share one wake-up; the sensor with the later deadline delivers early")
  func parts() throws {
    var bench = try GovernorBench(extra: Self.further)
    _ = bench.raise("a", on: "test.left", wants(.seconds(60)), at: 0)
    _ = bench.raise("b", on: "test.right", wants(.seconds(100)), at: 0)
    bench.run(to: 600)
    #expect(bench.governor.wakes == 10)
    #expect(drains(bench, of: "test.right").count == 10)
    #expect(drains(bench, of: "test.right").allSatisfy { $0.contains("piggybacked; with a #1") })
  }

  @Test("F16: samples do not piggyback when a rule holds them, or when only the newest sample matters")
  func exact() throws {
    var bench = try GovernorBench(extra: Self.further)
    try bench.load(
      "policy \"p\" version 1\nuse test.sensor as s\nrule r always { batch s until 90 s }", at: 0)
    _ = bench.raise("held", wants(nil), at: 0)
    _ = bench.raise("newest", on: "test.left", wants(.hours(24)), at: 0)
    _ = bench.raise("mail", on: "test.radio", message, at: 40)
    bench.run(to: 100)
    #expect(drains(bench) == ["90 reached 1 min 30 s"])
    #expect(drains(bench, of: "test.left").isEmpty)
    #expect(bench.governor.status(of: "test.left")?.setting.keepsNewest == true)
    #expect(bench.setting.keepsNewest == false)
  }

  @Test("F16: a wake-up leads to a piggybacked delivery only if the sensor holds a new sample")
  func empty() throws {
    var bench = try GovernorBench()
    _ = bench.raise("slow", wants(.seconds(100), every: .seconds(20)), at: 0)
    for second in [5.0, 10, 19, 21, 25] { _ = bench.raise("mail", on: "test.radio", message, at: second) }
    bench.run(to: 30)
    #expect(drains(bench).map { $0.prefix(3) } == ["21 "])
  }

  @Test("F16: before the processor sleeps, held samples that would wake it are delivered")
  func bedtime() throws {
    var bench = try GovernorBench(extra: Self.further)
    _ = bench.raise("steps", on: "test.left", wants(.seconds(100)), at: 0)
    let game = bench.raise("game", on: "test.right", wants(nil, every: .milliseconds(20)), at: 10)
    bench.input(.release(game), at: 70)
    bench.run(to: 169)
    #expect(bench.governor.wakes == 0)
    #expect(drains(bench, of: "test.left") == ["70 piggybacked; with game #2 [as asked] served"])
    bench.run(to: 171)
    #expect(bench.governor.wakes == 1)
  }

  @Test("F16: piggybacked samples that arrive after the processor fell asleep cause a wake-up")
  func late() throws {
    var bench = try GovernorBench()
    _ = bench.raise("steps", wants(.seconds(100)), at: 0)
    bench.input(.delivered(device: bench.sensor, samples: 5, reason: .full), at: 20)
    #expect(bench.governor.wakes == 1)
    bench.input(.delivered(device: bench.sensor, samples: 5, reason: .piggybacked), at: 20.9)
    #expect(bench.governor.wakes == 1)
    bench.input(.delivered(device: bench.sensor, samples: 5, reason: .piggybacked), at: 21.1)
    #expect(bench.governor.wakes == 2)
  }

  // MARK: Random runs

  private struct SensorDemand {
    var device: DeviceID
    var latency: Int
    var from: Int
  }

  /// Returns the seconds at which the processor would wake without piggybacking. It would wake for messages,
  /// and for each sensor separately.
  private func wakesWithoutPiggybacking(
    _ demands: [SensorDemand], _ messages: Set<Int>, until end: Int
  ) -> Set<Int> {
    var wakes = messages
    for device in Set(demands.map(\.device)) {
      let own = demands.filter { $0.device == device }
      var since = own.map(\.from)
      for second in 0...end {
        guard own.indices.contains(where: { since[$0] < second && second - since[$0] >= own[$0].latency })
        else {
          continue
        }
        wakes.insert(second)
        for place in own.indices where own[place].from <= second { since[place] = second }
      }
    }
    return wakes
  }

  @Test("F16: in random runs no sample is late, and piggybacking never adds a wake-up")
  func random() throws {
    let end = 900
    var baselineTotal = 0
    var total = 0
    for seed in Trials(600).seeds {
      var chance = SeededGenerator(seed: seed)
      var bench = try GovernorBench(extra: Self.further)
      let devices: [DeviceID] = ["test.sensor", "test.left", "test.right"]
      let demands = (0..<Int.random(in: 1...5, using: &chance)).map { _ in
        SensorDemand(
          device: devices.randomElement(using: &chance) ?? "test.left",
          latency: Int.random(in: 3...120, using: &chance), from: Int.random(in: 0...60, using: &chance))
      }
      let messages = Set(
        (0..<Int.random(in: 0...12, using: &chance)).map { _ in Int.random(in: 1...end, using: &chance) })
      for second in 0...end {
        for demand in demands where demand.from == second {
          let settings = wants(.seconds(Int64(demand.latency)))
          _ = bench.raise("app", on: demand.device, settings, at: Double(second))
        }
        if messages.contains(second) {
          _ = bench.raise("mail", on: "test.radio", message, at: Double(second))
        }
      }
      bench.run(to: Double(end))
      let baseline = wakesWithoutPiggybacking(demands, messages, until: end).count
      #expect(bench.governor.wakes <= baseline, "seed \(seed)")
      baselineTotal += baseline
      total += bench.governor.wakes
      for demand in demands {
        let times = drains(bench, of: demand.device).compactMap { Double($0.prefix { $0 != " " }) }
        var last = Double(demand.from)
        for time in times + [Double(end)] where time >= last {
          #expect(time - last <= Double(demand.latency), "seed \(seed)")
          last = time
        }
      }
    }
    #expect(Double(total) < 0.9 * Double(baselineTotal), "\(total) wakes instead of \(baselineTotal)")
  }
}
