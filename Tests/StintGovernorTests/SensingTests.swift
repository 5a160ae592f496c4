import StintGovernor
import StintModel
import StintUnits
import Testing

/// Tests that the governor switches a sensor on for a rule while facts of the sensor can change the
/// rule's decision.
@Suite("Facts on demand")
struct SensingTests {
  static let motion = Manifest(
    device: "test.motion", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 60_000), isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
    verbs: Verb.allCases, fifo: 300,
    facts: [
      FactSchema(
        path: "test.motion.gait", type: .symbol(["still", "walking"]), maxAge: .seconds(90),
        device: "test.motion"),
      FactSchema(path: "test.motion.strength", type: .quantity(.ratio), device: "test.motion"),
    ])

  private func bench(_ rules: String...) throws -> GovernorBench {
    var bench = try GovernorBench(extra: [Self.motion])
    try bench.load("policy \"p\"\n" + rules.joined(separator: "\n"), at: 0)
    return bench
  }

  private static let rest = "rule rest while test.motion.gait is still { pause test.sensor }"

  @Test("the device that publishes a fact for a rule is on while the rule limits a demand")
  func works() throws {
    var bench = try bench(Self.rest)
    bench.run(to: 10)
    #expect(bench.settings(of: "test.motion") == [])
    let app = bench.raise("app", at: 10)
    #expect(bench.settings(of: "test.motion") == ["10: on, holding, keeping the newest"])
    bench.set("test.motion.gait", "still", at: 20)
    bench.run(to: 26)
    #expect(bench.governor.status(of: "test.sensor")?.setting == .off)
    bench.input(.release(app), at: 30)
    #expect(bench.settings(of: "test.motion").last == "30: off")
  }

  @Test("the energy of a reading is charged to the rule, and the cause of each interval is complete")
  func charged() throws {
    var bench = try bench(Self.rest)
    _ = bench.raise("app", at: 0)
    bench.run(to: 100)
    let ledger = bench.governor.ledger(at: bench.instant(100))
    let rule = RuleID(policy: "p", rule: "rest")
    #expect(ledger.byRule[rule] == Energy(nanojoules: 6_000_000))
    #expect(ledger.byDevice["test.motion"] == Energy(nanojoules: 6_000_000))
    #expect(ledger.isBalanced)
    #expect(bench.governor.unexplained(at: bench.instant(100)) == .zero)
  }

  @Test(
    "when a client leaves, the wake-up for its held samples is charged to the sensor's clients, not to rules",
    arguments: [1, 2])
  func leaving(clients: Int) throws {
    var bench = try bench(Self.rest)
    _ = bench.raise("app", at: 0)
    let demands = (1...clients).map {
      bench.raise("logger \($0)", on: "test.motion", DemandSettings(latency: .minutes(10)), at: 1)
    }
    let rule = RuleID(policy: "p", rule: "rest")
    let processor: DeviceID = "test.processor"
    func spent() -> (rule: Int128, wakes: Int128) {
      let ledger = bench.governor.ledger(at: bench.instant(100))
      return (ledger.byRule[rule]?.nanojoules ?? 0, ledger.byDevice[processor]?.nanojoules ?? 0)
    }
    bench.run(to: 100)
    let before = spent()
    bench.input(.release(demands[0]), at: 100)
    let after = spent()
    #expect(after.wakes - before.wakes == 30_000_000)
    #expect(after.rule == before.rule)
    let ledger = bench.governor.ledger(at: bench.instant(100))
    let shares = (1...clients).map { ledger.byClient[ClientID("logger \($0)")]?.nanojoules ?? 0 }
    #expect(shares.allSatisfy { $0 >= 30_000_000 / Int128(clients) }, "\(shares)")
  }

  @Test(
    "a reading and a client's demand share one setting; the device stays on when the client's demand ends")
  func shared() throws {
    var bench = try bench(Self.rest)
    let motion = bench.raise("logger", on: "test.motion", at: 0)
    _ = bench.raise("app", at: 1)
    #expect(bench.settings(of: "test.motion").count == 1)
    bench.input(.release(motion), at: 5)
    #expect(bench.settings(of: "test.motion").last == "5: on, holding, keeping the newest")
    #expect(!bench.settings(of: "test.motion").contains { $0.hasSuffix("off") })
    _ = bench.raise("logger", on: "test.motion", at: 9)
    let causes = bench.governor.causeText(of: bench.governor.vocabulary.device("test.motion") ?? 0)
    #expect(causes?.contains("logger") == true && causes?.contains("p/") == true)
  }

  @Test("requirements, known() and age() cause no reading, and rules that test for missing or old values act")
  func observers() throws {
    var bench = try bench(
      "require test.motion.gait is still",
      "rule a when not known(test.motion.gait) for 30 min { emit \"lost\" }",
      "rule b when age(test.motion.gait) > 10 min { emit \"old\" }")
    bench.set("test.motion.gait", "still", at: 1)
    bench.run(to: 3600)
    #expect(bench.settings(of: "test.motion") == [])
    #expect(bench.log.contains { $0.contains("lost") } && bench.log.contains { $0.contains("old") })
  }

  @Test(
    "a sensor is read for a temporal operator only while no other operand decides the condition",
    arguments: [
      "test.motion.gait is walking for 1 min", "test.motion.gait is walking in last 1 min",
      "(test.motion.strength above 20 % release 10 %)", "spread(test.motion.strength, 1 min) > 20 %",
    ])
  func guards(part: String) throws {
    for condition in ["battery.level < 10 % and \(part)", "\(part) and battery.level < 10 %"] {
      var bench = try bench("rule a when \(condition) { emit \"up\" }")
      bench.set("battery.level", "80 %", at: 1)
      bench.run(to: 600)
      #expect(bench.settings(of: "test.motion").filter { !$0.hasSuffix("off") }.count <= 1, "\(condition)")
      #expect(bench.governor.status(of: "test.motion")?.setting == .off, "\(condition)")
      bench.set("battery.level", "5 %", at: 700)
      #expect(bench.governor.status(of: "test.motion")?.setting.isOn == true, "\(condition)")
    }
  }

  @Test("a fact is not read while another operand decides the condition, in either order of the operands")
  func thinned() throws {
    for condition in [
      "app.state is background and test.motion.gait is still",
      "test.motion.gait is still and app.state is background",
    ] {
      var bench = try bench("rule rest while \(condition) { pause test.sensor }")
      _ = bench.raise("app", at: 0)
      bench.set("app.state", "foreground", at: 1)
      #expect(bench.settings(of: "test.motion").isEmpty)
      bench.set("test.motion.gait", "walking", at: 2)
      bench.set("app.state", "background", at: 20)
      #expect(bench.settings(of: "test.motion").last == "20: on, holding, keeping the newest")
    }
  }

  @Test("a fact is not read while another operand is unknown and no device can make that operand known")
  func unknownGuard() throws {
    var bench = try bench("rule a when app.state is background and test.motion.gait is still { emit \"up\" }")
    bench.run(to: 600)
    #expect(bench.settings(of: "test.motion").isEmpty)
    bench.set("app.state", "background", at: 700)
    #expect(bench.governor.status(of: "test.motion")?.setting.isOn == true)
  }

  @Test("a rule that limits only the device from which it reads a fact does not switch this device on")
  func observes() throws {
    var bench = try bench(
      "rule coarse while test.motion.gait is still { batch test.motion until 1 min }",
      "rule poor while test.sensor.accuracy > 50 m { downgrade test.sensor to 100 m }")
    bench.run(to: 60)
    #expect(bench.log.isEmpty)
    _ = bench.raise("logger", on: "test.motion", at: 60)
    #expect(bench.settings() == [])
  }

  @Test("a fact that its sensor publishes even while the sensor is off causes no demand")
  func always() throws {
    var motion = Self.motion
    for fact in motion.facts.indices { motion.facts[fact].isAlwaysPublished = true }
    var bench = try GovernorBench(extra: [motion])
    try bench.load("policy \"p\"\n" + Self.rest, at: 0)
    _ = bench.raise("app", at: 1)
    #expect(bench.settings(of: "test.motion") == [])
    bench.set("test.motion.gait", "still", at: 2)
    bench.run(to: 10)
    #expect(bench.governor.status(of: "test.sensor")?.setting == .off)
  }

  @Test("a sensor that works only for rules counts as off and as not demanded")
  func noCircle() throws {
    var bench = try bench(
      "rule rest while test.motion.on and test.motion.gait is still { pause test.sensor }",
      "rule again while demanded(test.motion) and test.motion.gait is walking { pause test.sensor }")
    _ = bench.raise("app", at: 0)
    let motion = bench.raise("logger", on: "test.motion", at: 1)
    bench.input(.release(motion), at: 5)
    bench.run(to: 100)
    bench.set("battery.level", "50 %", at: 100)
    #expect(bench.settings(of: "test.motion").last?.hasSuffix("off") == true)
  }

  @Test("a rule can stop a device that works for another rule")
  func stopped() throws {
    var bench = try bench(
      Self.rest, "rule saver while battery.level < 10 % { stop test.motion }")
    _ = bench.raise("app", at: 0)
    bench.set("battery.level", "5 %", at: 1)
    #expect(bench.settings(of: "test.motion").last?.hasSuffix("off") == true)
    bench.set("battery.level", "50 %", at: 60)
    #expect(bench.settings(of: "test.motion").last?.hasSuffix("newest") == true)
  }

  @Test("a reload of the same policy ends no demand and raises no demand")
  func reload() throws {
    var bench = try bench(Self.rest)
    _ = bench.raise("app", at: 0)
    let before = bench.log.count
    try bench.load("policy \"p\"\n" + Self.rest, at: 30)
    #expect(bench.log.count == before)
    try bench.load("policy \"p\"\nrule other always { batch test.sensor until 1 min }", at: 40)
    #expect(bench.settings(of: "test.motion").last == "40: off")
  }

  @Test("a zone is probed by one fix, and by a second fix when the host can have reached the zone's border")
  func place() throws {
    var bench = try bench(
      "zone home = circle 47 8 radius 100 m", "rule here while inside(home) { pause test.motion }")
    bench.run(to: 60)
    #expect(bench.settings() == [])
    _ = bench.raise("logger", on: "test.motion", at: 60)
    #expect(bench.settings().count == 1 && bench.settings()[0].hasPrefix("60: on"))
    bench.publishFix(at: 70)
    bench.run(to: 76)
    #expect(bench.settings().last == "75: off")
    #expect(bench.governor.status(of: "test.motion")?.setting == .off)
    bench.run(to: 369)
    #expect(bench.settings().count == 2)
    bench.run(to: 370)
    #expect(bench.settings().count == 3)
  }

  @Test("a probe without a fix ends after 90 s; the pause before the next probe doubles up to an hour")
  func nothing() throws {
    var bench = try bench(
      "zone home = circle 47 8 radius 100 m", "rule here while inside(home) { pause test.motion }")
    _ = bench.raise("logger", on: "test.motion", at: 0)
    bench.run(to: 6 * 3600)
    let starts = bench.settings().filter { $0.contains(": on") }.compactMap {
      Double($0.prefix { $0 != ":" })
    }
    let pauses = zip(starts, starts.dropFirst()).map { $1 - $0 }
    #expect(pauses == [390, 690, 1290, 2490, 3690, 3690, 3690, 3690])
  }
}

extension GovernorBench {
  /// Publishes a fix in the middle of the zone.
  fileprivate mutating func publishFix(at second: Double) {
    run(to: second)
    for (name, value) in [("latitude", 47), ("longitude", 8), ("accuracy", 5)] as [(String, Double)] {
      guard let fact = governor.vocabulary.fact("test.sensor.\(name)") else { continue }
      input(.fact(fact, .number(value)), at: second)
    }
  }
}
