import StintMachine
import StintModel
import StintUnits
import Testing

@testable import StintGovernor

/// Tests that a failed reload leaves the governor unchanged.
@Suite("Reloads that fail")
struct FailedReloadTests {
  private static let good = """
    policy "p"
    use test.sensor as gps
    machine m starts a { state a { goto b when battery.level < 30 % } state b { goto a when battery.level > 60 % } }
    budget trail = 6 J per hour on gps { at 50 % { downgrade gps to 100 m } }
    rule low while battery.level below 20 % release 25 % { downgrade gps to 50 m }
    rule rest while motion.activity is still for 4 min { pause gps }
    rule mine while client.name == "app" and app.state is background for 1 min { batch gps until 10 min }
    rule map while battery.level < 90 % { start gps for "map" }
    """
  private static let candidate = """
    policy "q"
    use test.sensor as gps
    rule map while battery.level < 95 % { start gps for "other" }
    rule off while battery.level < 99 % { stop gps }
    rule small while client.accuracy < 50 m { downgrade gps to 200 m }
    machine m starts x { state x { goto y when battery.level < 40 % } state y { goto x when battery.level > 60 % } }
    """

  private func bench() throws -> GovernorBench {
    var bench = try GovernorBench()
    try bench.load(Self.good, at: 0)
    _ = bench.raise("app", DemandSettings(accuracy: 10), at: 0)
    bench.set("battery.level", "25 %", at: 10)
    bench.set("motion.activity", "still", at: 15)
    bench.set("app.state", "background", at: 20)
    bench.run(to: 100)
    return bench
  }

  private func finish(_ bench: inout GovernorBench) -> [String] {
    bench.run(to: 400)
    bench.set("battery.level", "70 %", at: 500)
    bench.set("motion.activity", "walking", at: 600)
    bench.run(to: 8000)
    return bench.log
  }

  @Test(
    "X04: a reload that fails at any stage does not change the governor", arguments: ReloadStage.allCases)
  func halfway(stage: ReloadStage) throws {
    var undisturbed = try bench()
    var disturbed = undisturbed
    let program = try disturbed.program([Self.candidate])
    var passed: [ReloadStage] = []
    let error = #expect(throws: Problem.self) {
      _ = try disturbed.governor.load(program, at: disturbed.instant(101)) {
        (reached: ReloadStage) throws(Problem) in
        passed.append(reached)
        if reached == stage { throw Problem(.interrupted, cause: "stopped at \(stage)", remedy: "try again") }
      }
    }
    #expect(error?.code == .interrupted && passed.last == stage)
    #expect("\(disturbed.governor)" == "\(undisturbed.governor)")
    #expect(finish(&disturbed) == finish(&undisturbed))
    // Checks that the candidate policy changes decisions when its reload succeeds.
    var other = try bench()
    try other.load(Self.candidate, at: 101)
    #expect(finish(&other) != finish(&undisturbed))
  }

  @Test("the governor refuses a program compiled for other facts, and keeps the policies in force")
  func unexpectedContent() throws {
    var bench = try bench()
    let other = try GovernorBench(declared: [FactSchema(path: "aa.extra", type: .boolean)])
    var program = try other.program([
      "policy \"p\"\nrule r while motion.activity is still { pause test.sensor }"
    ])
    program.computed = []
    let before = "\(bench.governor)"
    var image = program.image.image
    image.facts[0].number = 10_000
    program.image = try ImageVerifier.verify(image)
    let error = #expect(throws: Problem.self) {
      try bench.governor.load(program, at: bench.instant(101))
    }
    #expect(error?.code == .unexpectedContent)
    #expect("\(bench.governor)" == before)
  }

  @Test(
    "a reload fails for images of different policies, for a missing target state, and for a past instant"
  )
  func incompatible() throws {
    var bench = try bench()
    let good = try bench.program([Self.good])
    var mixed = good
    mixed.perDemandImage = try bench.program([Self.candidate]).perDemandImage
    var lost = good
    lost.moves[0].target = 7
    for (program, second, code) in [
      (mixed, 101.0, Problem.Code.incompatible), (lost, 101, .unexpectedContent), (good, 50, .past),
    ] {
      let before = "\(bench.governor)"
      let error = #expect(throws: Problem.self) {
        try bench.governor.load(program, at: bench.instant(second))
      }
      #expect(error?.code == code)
      #expect("\(bench.governor)" == before)
    }
  }
}
