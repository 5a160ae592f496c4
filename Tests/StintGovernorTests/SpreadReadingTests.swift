import StintAuthoring
import StintGovernor
import StintLanguage
import StintModel
import StintUnits
import Testing

@Suite("Position spread and position validity on demand")
struct SpreadReadingTests {
  private static let locator = Manifest(
    device: "test.locator", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 60_000), isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
    verbs: Verb.allCases,
    attributes: [
      AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.0001...50, fallback: .number(1))
    ],
    facts: ["latitude", "longitude", "accuracy", "speed"].map { name in
      FactSchema(
        path: "test.locator.\(name)",
        type: .quantity(name == "speed" ? .speed : name == "accuracy" ? .length : .angle),
        maxAge: .seconds(10), device: "test.locator")
    })

  private static func bench(_ items: String) throws -> GovernorBench {
    var bench = try GovernorBench(extra: [locator])
    try bench.load("policy \"p\"\n" + items, at: 0)
    return bench
  }

  private static let still =
    "rule r when battery.level < 50 % and spread(test.locator, 10 min) < 30 m { emit \"x\" }"

  @Test(
    "for spread(), the device measures ten times per window while the rule's other condition is true"
  )
  func reads() throws {
    var bench = try Self.bench(Self.still)
    bench.set("battery.level", "80 %", at: 1)
    #expect(bench.governor.status(of: "test.locator")?.setting == .off)
    bench.set("battery.level", "40 %", at: 10)
    let setting = try #require(bench.governor.status(of: "test.locator")?.setting)
    #expect(setting.isOn)
    #expect(setting.period == .minutes(1))
    for second in stride(from: 11.0, through: 1300, by: 300) {
      bench.set("test.locator.latitude", "47 deg", at: second)
      bench.set("test.locator.longitude", "8 deg", at: second)
    }
    let acted = bench.effects.contains { effect in
      if case .act(_, .emit) = effect { true } else { false }
    }
    #expect(acted)
    bench.set("battery.level", "80 %", at: 1400)
    bench.run(to: 1410)
    #expect(bench.governor.status(of: "test.locator")?.setting == .off)
  }

  @Test("a rule that limits only the device whose spread it reads causes no reading")
  func observes() throws {
    var bench = try Self.bench("rule r while spread(test.locator, 10 min) < 30 m { pause test.locator }")
    bench.run(to: 600)
    #expect(bench.governor.status(of: "test.locator")?.setting == .off)
    #expect(bench.governor.readings(of: bench.governor.vocabulary.device("test.locator") ?? -1).isEmpty)
  }

  @Test("`check` lists the reading for spread() with the rule's other condition and the period")
  func listed() throws {
    let vocabulary = Vocabulary(manifests: GovernorBench.manifests + [Self.locator])
    let checked = Checker.check(
      [SourceText(file: "p.stint", text: "policy \"p\"\n" + Self.still)], vocabulary: vocabulary)
    let needs = ReadingNeed.all(checked.policies, vocabulary: vocabulary)
    #expect(needs.map(\.devices) == [["test.locator"]])
    #expect(needs.first?.period == .minutes(1))
    #expect(needs.first?.guards == ["battery.level < 50 %"])
  }

  @Test("a rule that reads respite() causes no reading")
  func validity() throws {
    var bench = try Self.bench("rule r when respite(test.locator, 50 m) < 0 s { emit \"stale\" }")
    bench.run(to: 600)
    #expect(bench.governor.status(of: "test.locator")?.setting == .off)
  }
}
