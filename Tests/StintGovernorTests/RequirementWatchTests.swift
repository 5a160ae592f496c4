import StintGovernor
import StintModel
import StintUnits
import Testing

@Suite("The evaluation of requirements")
struct RequirementWatchTests {
  private static let id = RuleID(policy: "p", rule: "require-1")

  private func use(_ bench: GovernorBench, at second: Double) -> RequirementUse? {
    bench.governor.requirementUse(at: bench.instant(second))[Self.id]
  }

  @Test("a requirement counts as evaluated only while its facts are known")
  func known() throws {
    var bench = try GovernorBench()
    try bench.load("policy \"p\"\nrequire test.sensor.accuracy < 50 m", at: 0)
    #expect(use(bench, at: 100)?.evaluated == .zero)
    // The fact has a maximum age of 10 s.
    bench.set("test.sensor.accuracy", "20 m", at: 100)
    bench.run(to: 200)
    let used = try #require(use(bench, at: 200))
    #expect(used.watched == .seconds(200))
    #expect(abs(used.evaluated.seconds - 10) < 0.001)
    #expect(abs((used.share ?? 0) - 0.05) < 0.001)
    #expect(bench.governor.status(of: "test.sensor")?.setting.isOn == false)
  }

  @Test("an implication whose premise is false counts as evaluated even while its conclusion is unknown")
  func premise() throws {
    var bench = try GovernorBench()
    try bench.load(
      "policy \"p\"\nrequire battery.level < 20 % implies test.sensor.accuracy < 50 m", at: 0)
    bench.set("battery.level", "80 %", at: 10)
    bench.set("battery.level", "10 %", at: 40)
    bench.run(to: 100)
    #expect(use(bench, at: 100)?.evaluated == .seconds(30))
    #expect(use(bench, at: 100)?.watched == .seconds(100))
  }

  @Test("a reload keeps the times of a requirement with the same name; a removed requirement stops counting")
  func reload() throws {
    var bench = try GovernorBench()
    let text = "policy \"p\"\nrequire battery.level > 3 %"
    try bench.load(text, at: 0)
    bench.set("battery.level", "80 %", at: 20)
    try bench.load(text + "\nrule r while battery.level < 50 % { pause test.sensor }", at: 50)
    #expect(use(bench, at: 60)?.evaluated == .seconds(40))
    #expect(use(bench, at: 60)?.watched == .seconds(60))
    try bench.load("policy \"p\"\nrule r while battery.level < 50 % { pause test.sensor }", at: 80)
    #expect(use(bench, at: 200)?.watched == .seconds(80))
    #expect(use(bench, at: 200)?.evaluated == .seconds(60))
  }

  @Test("the evaluated share of a requirement is nil when no time has passed")
  func noTime() throws {
    var bench = try GovernorBench()
    try bench.load("policy \"p\"\nrequire battery.level > 3 %", at: 0)
    let used = try #require(use(bench, at: 0))
    #expect(used.share == nil)
  }
}
