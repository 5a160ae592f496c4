import StintMachine
import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The sensing plan alone")
struct SensingPlanTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)
  private let bench: GovernorBench
  private let sensor: Int
  private let motion: Int

  init() throws {
    bench = try GovernorBench(extra: [SensingTests.motion])
    sensor = bench.sensor
    motion = try #require(bench.governor.vocabulary.device("test.motion"))
  }

  private func rules(_ text: String) throws -> SensorRules {
    let program = try bench.program(["policy \"p\"\n\(text)"])
    let vocabulary = bench.governor.vocabulary.computing(program.computed)
    return SensorRules(program, vocabulary, DirectiveIndex(program, vocabulary))
  }

  /// Needs as nothing is known; a rule of a machine that was never made needs nothing.
  private func moment(
    _ rules: SensorRules, _ text: String, asked: [Int] = [], serves: [Int] = [], lastFix: Instant? = nil,
    after span: TimeSpan = .zero
  ) throws -> SensingInput {
    let program = try bench.program(["policy \"p\"\n\(text)"])
    let vocabulary = bench.governor.vocabulary.computing(program.computed)
    let all = vocabulary.manifests.indices
    return SensingInput(
      machine: RuleVM(image: program.image, timeZone: .utc, at: start),
      facts: FactTable(count: vocabulary.facts.count),
      now: start + span, servesOthers: all.map { serves.contains($0) },
      isDemandedByOthers: all.map { asked.contains($0) }, isPositionServed: serves.contains(sensor),
      lastFix: lastFix, assumptions: NeedAssumptions())
  }

  private static let rest = "rule rest while test.motion.gait is still { pause test.sensor }"
  private static let here =
    "zone home = circle 47 8 radius 80 m\nrule here while inside(home) { pause test.motion }"

  @Test("rules that only limit what they read, or read only what is said anyway, are none of its rules")
  func collects() throws {
    #expect(try rules("rule a while battery.level < 10 % { pause test.sensor }").isEmpty)
    #expect(try rules("rule a while test.motion.gait is still { batch test.motion until 5 s }").isEmpty)
    let own = try rules(Self.rest + "\nrule b when test.motion.gait is walking { emit \"up\" }")
    #expect(own.sources.map(\.device) == [motion])
    #expect(own.sources[0].readers.map(\.isUnconditional) == [false, true])
    #expect(own.sources[0].readers[0].targets == [sensor])
    let places = try rules(Self.here)
    #expect(places.sources.isEmpty && places.places?.device == sensor)
    #expect(places.places?.wants.accuracy == 40)
  }

  @Test("one demand for each device, ended where another demand has the device work")
  func stands() throws {
    let rules = try rules(Self.rest)
    var plan = SensingPlan()
    plan.migrate(to: rules)
    #expect(plan.mustPlan)
    #expect(plan.plan(try moment(rules, Self.rest)).isEmpty && !plan.mustPlan)
    let begun = plan.plan(try moment(rules, Self.rest, asked: [sensor]))
    guard case .begin(let source, let reader)? = begun.first, begun.count == 1 else {
      Issue.record("nothing began")
      return
    }
    plan.began(source, reader, DemandID(-7))
    #expect(plan.isOwn(DemandID(-7)) && !plan.isOwn(DemandID(-8)))
    #expect(plan.plan(try moment(rules, Self.rest, asked: [sensor])).isEmpty)
    let ended = plan.plan(try moment(rules, Self.rest, asked: [sensor], serves: [motion]))
    guard case .end(DemandID(-7))? = ended.first, ended.count == 1 else {
      Issue.record("nothing ended")
      return
    }
    plan.ended(DemandID(-7), at: start)
    #expect(!plan.isOwn(DemandID(-7)))
  }

  @Test("a known place is looked for again 90 s before it is forgotten, and not while others look")
  func looks() throws {
    let rules = try rules(Self.here)
    var plan = SensingPlan()
    plan.migrate(to: rules)
    #expect(plan.plan(try moment(rules, Self.here, asked: [motion], serves: [sensor])).isEmpty)
    #expect(plan.nextTimer == .distantFuture)
    #expect(plan.plan(try moment(rules, Self.here, asked: [motion], lastFix: start)).isEmpty)
    #expect(plan.nextTimer == start + .seconds(510))
    let changes = plan.plan(
      try moment(rules, Self.here, asked: [motion], lastFix: start, after: .seconds(510)))
    guard case .probe? = changes.first else {
      Issue.record("nothing is looked for")
      return
    }
  }
}
