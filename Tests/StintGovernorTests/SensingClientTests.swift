import StintAuthoring
import StintCompiler
import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// Tests a sensor that serves clients' demands and also publishes facts for rules.
@Suite("Readings of a sensor that clients use too")
struct SensingClientTests {
  @Test(
    "a client of a sensor shifts the active periods of rules by at most two sampling periods and one `for`"
  )
  func sameDecisions() throws {
    let trials = Trials(1000, fewest: 5)
    var reading = 0
    for seed in trials.rounds {
      var random = SeededGenerator(seed: UInt64(seed) &* 0x9E37_79B9 &+ 3)
      let policy = RandomReaders.policy(&random)
      let script = SensedHour.Script(&random)
      let alone = try SensedHour.run(policy.text, script, beside: .none)
      if alone.sensedFor > .zero { reading += 1 }
      let others: [SensedHour.Client] = [.foregroundOnly, .departing, .dutyCycled]
      for client in [.slow, others[seed % others.count]] {
        let beside = try SensedHour.run(policy.text, script, beside: client)
        // A duty-cycled client keeps the sensor on in intervals, even before a rule needs the fact. So a
        // `for` can begin earlier than without this client.
        let dwell = client == .dutyCycled ? policy.longestDwell.seconds : 0
        for rule in Set(alone.activePeriods.keys).union(beside.activePeriods.keys) {
          let difference = alone.longestDifference(of: rule, from: beside)
          #expect(
            difference <= SensedHour.tolerance + dwell,
            "seed \(seed), \(client), \(rule): \(difference) s, in \(policy.text)")
        }
        // When a value lasts about as long as a `for`, the rule may act in only one of the two runs.
        for (rule, count) in alone.acts where client != .dutyCycled {
          #expect(
            abs(count - (beside.acts[rule] ?? 0)) <= 3, "seed \(seed), \(client), \(rule): \(policy.text)")
        }
      }
    }
    #expect(reading > trials.share(of: 300))
  }
}

extension SensingClientTests {
  /// Returns a sensor of positions that publishes its speed while it is on.
  private static func sensor(_ name: String, _ rank: Int, serves metres: Double) -> Manifest {
    Manifest(
      device: DeviceID("test.\(name)"), kind: .sensor, title: "",
      ladder: LadderRank(name: "place", rank: rank, serves: metres), states: SensedHour.motion.states,
      transitions: SensedHour.motion.transitions, verbs: Verb.allCases,
      attributes: [
        AttributeSchema(name: "accuracy", type: .quantity(.length), range: 1...10_000),
        AttributeSchema(name: "background", type: .symbol(["on", "off"])),
      ],
      facts: [
        FactSchema(
          path: "test.\(name).speed", type: .quantity(.speed), maxAge: .seconds(10),
          device: DeviceID("test.\(name)"))
      ])
  }

  @Test("of two sensors of equal rank in one ladder, a rule switches on only the sensor that it reads")
  func equalRanks() throws {
    for name in ["mast", "roof"] {
      var bench = try GovernorBench(
        extra: [Self.sensor("mast", 1, serves: 5), Self.sensor("roof", 1, serves: 5)])
      try bench.load("policy \"p\"\nrule r when test.\(name).speed > 2 m/s { emit \"x\" }", at: 0)
      bench.run(to: 10)
      for device in ["mast", "roof"] {
        let isOn = bench.governor.status(of: DeviceID("test.\(device)"))?.setting.isOn
        #expect(isOn == (device == name), "\(device), reading \(name)")
      }
    }
  }

  @Test("a `downgrade` to a cheaper sensor also limits readings of the rule that contains the `downgrade`")
  func downgradedReading() throws {
    var bench = try GovernorBench(
      extra: [Self.sensor("fine", 1, serves: 5), Self.sensor("coarse", 0, serves: 100)])
    try bench.load(
      """
      policy "p"
      machine m starts out {
        state out { goto in when battery.level < 50 % }
        state in { downgrade test.fine to 100 m goto out when test.fine.speed > 2 m/s }
      }
      """, at: 0)
    _ = bench.raise("app", on: "test.fine", DemandSettings(accuracy: 5, background: true), at: 1)
    #expect(bench.governor.status(of: "test.fine")?.setting.isOn == true)
    bench.set("battery.level", "40 %", at: 10)
    bench.run(to: 3600)
    #expect(bench.governor.status(of: "test.fine")?.setting.isOn == false)
    #expect(bench.governor.status(of: "test.coarse")?.setting.isOn == true)
    bench.set("battery.level", "80 %", at: 3610)
    bench.run(to: 7200)
    #expect(bench.governor.status(of: "test.fine")?.setting.isOn == false)
  }

  private static let observers = [
    "known(day.motion.gait) and day.motion.gait is walking",
    "known(day.motion.strength) and day.motion.gait is walking",
    "age(day.motion.gait) < 1 min and day.motion.gait is walking",
    "not (age(day.motion.gait) > 1 min) and day.motion.gait is walking",
    "day.motion.on and day.motion.gait is walking",
    "day.motion.on and known(day.motion.gait) and day.motion.gait is walking for 1 min",
    "(known(day.motion.gait) and day.motion.gait is walking) or battery.level < 0 %",
    "known(day.motion.gait) or day.motion.gait is walking",
    "age(day.motion.strength) < 1 min or day.motion.gait is walking",
  ]

  @Test(
    "a rule never turns a sensor on only to change a `known`, `age` or `on` of this sensor",
    arguments: observers)
  func observers(condition: String) throws {
    for client in SensedHour.Client.allCases {
      for seed in UInt64(1)...3 {
        var random = SeededGenerator(seed: seed)
        let script = SensedHour.Script(&random)
        func sensed(_ condition: String) throws -> SensedHour.Result {
          try SensedHour.run(
            "policy \"p\"\nrule r when \(condition) { emit \"up\" }", script, beside: client)
        }
        let (with, without) = (try sensed(condition), try sensed("battery.level < 0 %"))
        #expect(with.sensedFor == without.sensedFor, "\(client)")
        // A demand of 30 s is too short for a `for` of 1 min.
        if client == .dutyCycled && !condition.contains("for") { #expect(with.acts["r", default: 0] > 0) }
      }
    }
  }

  @Test(
    "a condition whose `known` or `age` can be true while the sensor is off keeps the sensor on",
    arguments: [
      "age(day.motion.gait) > 1 h or day.motion.gait is walking",
      "known(battery.level) and day.motion.gait is walking",
    ])
  func readsInSpite(condition: String) throws {
    var random = SeededGenerator(seed: 4)
    let script = SensedHour.Script(&random)
    let day = try SensedHour.run(
      "policy \"p\"\nrule r when \(condition) { emit \"up\" }", script, beside: .none)
    #expect(day.sensedFor > .minutes(55), "\(day.sensedFor)")
  }

  @Test(
    "F5: a demand that violates an assumption is also counted for the sensor that a rule reads for this demand"
  )
  func brokenAssumptions() throws {
    var bench = try GovernorBench(extra: [SensedHour.motion])
    try bench.load(
      """
      policy "p"
      rule r while day.motion.gait is still { batch test.sensor until 60 s }
      """, at: 0)
    func broken(_ device: DeviceID) -> Int? { bench.governor.status(of: device)?.brokenAssumptions }
    bench.run(to: 10)
    let first = bench.raise("app", at: 20)
    #expect(broken("test.sensor") == 1 && broken("day.motion") == 1)
    bench.input(.release(first), at: 30)
    #expect(broken("test.sensor") == 2 && broken("day.motion") == 2)
    // No rule reads the sensor for demands on this radio.
    _ = bench.raise(
      "app", on: "test.radio", DemandSettings(transfer: Transfer(bytesUp: 1, bytesDown: 1)), at: 40)
    #expect(broken("test.radio") == 1 && broken("day.motion") == 2)
  }

  @Test(
    "the governor reads only for needs that `check` lists, at the listed rate and within the listed energy"
  )
  func listedNeeds() throws {
    let trials = Trials(400, fewest: 10)
    var reading = 0
    for seed in trials.rounds {
      var random = SeededGenerator(seed: UInt64(seed) &* 0x9E37_79B9 &+ 5)
      let policy = RandomReaders.policy(&random)
      let checked = Checker.check(
        [SourceText(file: "p.stint", text: policy.text)], vocabulary: SensedHour.vocabulary)
      let needs = ReadingNeed.all(checked.policies, vocabulary: SensedHour.vocabulary)
      let day = try SensedHour.run(
        policy.text, SensedHour.Script(&random), beside: .none, notesReadings: true)
      for found in day.readings {
        let need = needs.first { $0.rule == found.rule }
        #expect(need?.devices == ["day.motion"] && need?.period == found.period, "\(found): \(policy.text)")
      }
      if !day.readings.isEmpty { reading += 1 }
      let most = needs.reduce(Energy.zero) { $0 + $1.maxPerDay }
      #expect(day.energy.nanojoules * 24 <= most.nanojoules, "\(policy.text)")
    }
    #expect(reading > trials.share(of: 200))
  }
}

/// Random policies whose conditions combine facts of a sensor with other facts. Some conditions contain
/// `for`, `release` or `in last`.
enum RandomReaders {
  struct Policy {
    var text: String
    var longestDwell: TimeSpan
  }

  static func policy(_ random: inout SeededGenerator) -> Policy {
    let rules = (1...Int.random(in: 1...3, using: &random)).map { number in
      let condition = condition(2, &random)
      return random.once(in: 3)
        ? "rule r\(number) when \(condition) { emit \"e\(number)\" }"
        : "rule r\(number) while \(condition) { \(random.pick(["pause", "stop"])) test.sensor }"
    }
    return Policy(
      text: "policy \"p\"\n" + rules.joined(separator: "\n"), longestDwell: .minutes(2))
  }

  private static func condition(_ depth: Int, _ random: inout SeededGenerator) -> String {
    guard depth > 0, !random.once(in: 4) else {
      return random.once(in: 2) ? value(&random) : guardian(&random)
    }
    let (one, other) = (condition(depth - 1, &random), condition(depth - 1, &random))
    return random.once(in: 2) ? "(\(one) and \(other))" : "(\(one) or \(other))"
  }

  private static func value(_ random: inout SeededGenerator) -> String {
    random.pick([
      "day.motion.gait is still", "day.motion.gait is walking", "day.motion.strength > 50 %",
      "(day.motion.gait is still for 1 min)", "(day.motion.strength > 50 % for 2 min)",
      "(day.motion.gait is walking in last 1 min)", "(day.motion.strength above 60 % release 30 %)",
      "not (day.motion.gait is still)",
    ])
  }

  private static func guardian(_ random: inout SeededGenerator) -> String {
    random.pick([
      "battery.level < 50 %", "battery.level > 30 %", "app.state is background", "app.state is foreground",
      "(app.state is background for 2 min)", "not (battery.level < 50 %)",
    ])
  }
}
