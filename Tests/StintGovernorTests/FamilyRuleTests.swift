import StintGovernor
import StintLanguage
import StintModel
import StintUnits
import Testing

/// Rules that read facts of families, such as `reader.tag.4711`.
@Suite("Rules about facts of families") struct FamilyRuleTests {
  private static func reader(_ kind: DeviceKind = .source, keys: Int = 3) -> Manifest {
    var tag = FactSchema(
      path: "reader.tag.*", type: .quantity(.length), range: 0...100, maxAge: .seconds(30), device: "reader")
    tag.keys = keys
    var slow = FactSchema(
      path: "reader.slow.*", type: .quantity(.length), fastest: .seconds(10), device: "reader")
    slow.keys = keys
    var manifest = Manifest(device: "reader", kind: kind, title: "")
    if kind == .sensor {
      manifest.states = [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(name: "on", power: Power(nanowatts: 1000), isOn: true),
      ]
      manifest.transitions = [Transition(from: 0, to: 1), Transition(from: 1, to: 0)]
      manifest.verbs = Verb.allCases
    }
    manifest.facts = [tag, slow]
    return manifest
  }

  private static func policy(_ rules: String) -> String {
    "policy \"p\" version 1\nuse test.sensor as sensor\nuse reader as r\n" + rules
  }

  private static let near = policy("rule near while reader.tag.4711 < 2 m { downgrade sensor to 100 m }\n")

  private func bench(_ policy: String, _ manifest: Manifest = reader()) throws -> GovernorBench {
    var bench = try GovernorBench(extra: [manifest])
    try bench.load(policy, at: 0)
    _ = bench.raise("a", DemandSettings(accuracy: 10), at: 1)
    return bench
  }

  /// The index of the family `reader.tag.*`. The families are sorted by path.
  private static let tag = 1

  private func accuracy(_ bench: GovernorBench) -> Double? { bench.setting.accuracy }

  @Test(
    "a rule reads one key of a family, by its full path or through the name of its device",
    arguments: ["reader.tag.4711", "r.tag.4711"])
  func named(path: String) throws {
    var bench = try bench(Self.policy("rule near while \(path) < 2 m { downgrade sensor to 100 m }\n"))
    bench.input(.keyed(family: Self.tag, key: "4712", .number(1)), at: 2)
    #expect(accuracy(bench) == 10)
    bench.input(.keyed(family: Self.tag, key: "4711", .number(1)), at: 3)
    #expect(accuracy(bench) == 100)
    bench.input(.keyed(family: Self.tag, key: "4711", .number(3)), at: 4)
    #expect(accuracy(bench) == 10)
  }

  @Test("a fact of a family expires at the maximum age of the family, and the value unknown ends it at once")
  func expiry() throws {
    var bench = try bench(Self.near)
    bench.input(.keyed(family: Self.tag, key: "4711", .number(1)), at: 3)
    bench.run(to: 33.5)
    #expect(accuracy(bench) == 10)
    bench.input(.keyed(family: Self.tag, key: "4711", .number(1)), at: 40)
    #expect(accuracy(bench) == 100)
    bench.input(.keyed(family: Self.tag, key: "4711", .unknown), at: 41)
    #expect(accuracy(bench) == 10)
  }

  @Test("the governor refuses a key beyond the number of keys, an invalid key, and values out of range")
  func refusals() throws {
    var bench = try bench(Self.near)
    for key in ["1", "2", "3"] { bench.input(.keyed(family: Self.tag, key: key, .number(5)), at: 2) }
    let refusals = [
      (Self.tag, "4711", FactValue.number(1), "reader.tag.* has 3 keys, as its manifest declares"),
      (Self.tag, "a.b", .number(1), "are not a family of facts and a key"),
      (7, "1", .number(1), "are not a family of facts and a key"),
      (-1, "1", .number(1), "are not a family of facts and a key"),
      (Self.tag, "1", .number(101), "reader.tag.1 cannot be 101 m; its range is 0 m to 100 m"),
      (Self.tag, "1", .boolean(true), "reader.tag.1 cannot have a value of this type"),
    ]
    for (family, key, value, sentence) in refusals {
      let effects = bench.governor.step(.keyed(family: family, key: key, value), at: bench.instant(3))
      guard effects.count == 1, case .refused(let reason) = effects[0] else {
        Issue.record("\(key): \(effects)")
        continue
      }
      #expect(reason.contains(sentence), "\(reason)")
    }
    #expect(accuracy(bench) == 10)
    bench.input(.keyed(family: Self.tag, key: "2", .unknown), at: 4)
    bench.input(.keyed(family: Self.tag, key: "4711", .number(1)), at: 4)
    #expect(accuracy(bench) == 100)
  }

  @Test("a policy that names a key later gets the value that the key already has, with its age")
  func reload() throws {
    var bench = try bench(Self.policy("rule idle while battery.level < 1 % { downgrade sensor to 50 m }\n"))
    bench.input(.keyed(family: Self.tag, key: "4711", .number(1)), at: 10)
    #expect(bench.governor.unnamedFacts.map(\.schema.path) == ["reader.tag.4711"])
    try bench.load(Self.near, at: 20)
    #expect(accuracy(bench) == 100 && bench.governor.unnamedFacts.isEmpty)
    bench.run(to: 40.5)
    #expect(accuracy(bench) == 10)
  }

  @Test("a reload that names further keys keeps the values and the timers of named keys")
  func kept() throws {
    let held = "rule near while reader.tag.4711 < 2 m for 10 s { downgrade sensor to 100 m }\n"
    var bench = try bench(Self.policy(held))
    bench.input(.keyed(family: Self.tag, key: "4711", .number(1)), at: 10)
    try bench.load(
      Self.policy("rule far when reader.tag.1 > 50 m or r.tag.2 > 50 m { emit \"far\" }\n" + held), at: 15)
    bench.run(to: 19.5)
    #expect(accuracy(bench) == 10)
    bench.run(to: 20.5)
    #expect(accuracy(bench) == 100)
    try bench.load(Self.policy(held), at: 25)
    #expect(accuracy(bench) == 100)
  }

  @Test("each key has the rate limit of the family, also after a reload")
  func rateLimit() throws {
    let policy = Self.policy("rule near while reader.slow.b < 2 m { downgrade sensor to 100 m }\n")
    var bench = try bench(policy)
    func send(_ number: Double, _ second: Double) {
      bench.input(.keyed(family: 0, key: "b", .number(number)), at: second)
    }
    for second in 2...6 { send(5, Double(second)) }
    send(1, 7)
    #expect(accuracy(bench) == 10)
    bench.run(to: 40)
    #expect(accuracy(bench) == 100)
    try bench.load(policy + "rule other when reader.slow.a < 2 m { emit \"a\" }\n", at: 41)
    #expect(accuracy(bench) == 100)
    for second in 42...46 { send(1, Double(second)) }
    send(5, 47)
    #expect(accuracy(bench) == 100)
    bench.run(to: 80)
    #expect(accuracy(bench) == 10)
  }

  @Test("a rule that reads a fact of a sensor's family turns the sensor on")
  func sensed() throws {
    var bench = try bench(Self.near, Self.reader(.sensor))
    bench.run(to: 2)
    #expect(bench.governor.status(of: "reader")?.setting.isOn == true)
    try bench.load(Self.policy("rule idle while battery.level < 1 % { downgrade sensor to 50 m }\n"), at: 3)
    bench.run(to: 60)
    #expect(bench.governor.status(of: "reader")?.setting.isOn == false)
  }

  @Test("a snapshot contains every key, and a new governor gets the named facts from it")
  func snapshot() throws {
    var bench = try bench(Self.near)
    for key in ["4711", "7"] { bench.input(.keyed(family: Self.tag, key: key, .number(1)), at: 10) }
    let inputs = bench.governor.snapshotInputs
    var fresh = Governor(vocabulary: bench.governor.vocabulary.computing([]), at: bench.instant(12))
    let effects = fresh.step(inputs, at: bench.instant(12))
    #expect(!effects.contains { if case .refused = $0 { true } else { false } })
    _ = try fresh.load(try bench.program([Self.near]), at: bench.instant(12))
    #expect(fresh.snapshotInputs == inputs)
    let fact = try #require(fresh.vocabulary.fact("reader.tag.4711"))
    #expect(fresh.facts.value(fact) == .number(1))
  }

  @Test("a saved run continues with the values of named keys")
  func restart() throws {
    var bench = try bench(Self.near)
    bench.input(.keyed(family: Self.tag, key: "4711", .number(1)), at: 10)
    let memory = bench.governor.memory
    var fresh = Governor(vocabulary: bench.governor.vocabulary.computing([]), at: bench.instant(15))
    let program = try bench.program([Self.near])
    _ = try fresh.load(program, at: bench.instant(15), recalling: memory)
    let fact = try #require(fresh.vocabulary.fact("reader.tag.4711"))
    #expect(fresh.facts.value(fact) == .number(1) && fresh.facts.instant(fact) == bench.instant(10))
    #expect(fresh.snapshotInputs.contains(.keyed(family: Self.tag, key: "4711", .number(1))))
  }
}
