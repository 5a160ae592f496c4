import StintMachine
import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The sensing plan, without a governor")
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

  /// Returns an input of the plan in which no fact is known. `asked` are the devices with demands that are
  /// not from the plan, and `off` are the devices that cannot be used.
  private func input(
    _ text: String, asked: [Int] = [], off: [Int] = [], position: SensingInput.Position? = nil,
    after span: TimeSpan = .zero
  ) throws -> SensingInput {
    let program = try bench.program(["policy \"p\"\n\(text)"])
    let vocabulary = bench.governor.vocabulary.computing(program.computed)
    let all = vocabulary.manifests.indices
    return SensingInput(
      machine: RuleVM(image: program.image, timeZone: .utc, at: start),
      facts: FactTable(count: vocabulary.facts.count), now: start + span,
      isDemandedByOthers: all.map { asked.contains($0) },
      isUsable: all.map { !off.contains($0) },
      position: position, assumptions: NeedAssumptions())
  }

  private static let rest = "rule rest while test.motion.gait is still { pause test.sensor }"
  private static let here =
    "zone home = circle 47 8 radius 80 m\nrule here while inside(home) { pause test.motion }"

  @Test("requirements, `known`, `age`, and rules that limit only the sensor that they read cause no readings")
  func collects() throws {
    #expect(try rules("rule a while battery.level < 10 % { pause test.sensor }").isEmpty)
    #expect(try rules("rule a while test.motion.gait is still { batch test.motion until 5 s }").isEmpty)
    #expect(try rules("require test.motion.gait is still").isEmpty)
    #expect(try rules("rule a when not known(test.motion.gait) for 5 min { emit \"up\" }").isEmpty)
    #expect(try rules("rule a when age(test.motion.gait) > 5 min { emit \"up\" }").isEmpty)
    let own = try rules(Self.rest + "\nrule b when test.motion.gait is walking { emit \"up\" }")
    #expect(own.sources.map(\.device) == [motion])
    #expect(own.sources[0].readers.map(\.isUnconditional) == [false, true])
    #expect(own.sources[0].readers[0].targets == [sensor])
    let places = try rules(Self.here)
    #expect(places.sources.isEmpty && places.places?.providers.map(\.device) == [sensor])
    #expect(places.places?.readers.flatMap(\.circles.values).map(\.accuracyToDecide) == [40])
  }

  @Test("the plan raises one demand for each device and period while a rule needs a fact of the device")
  func demands() throws {
    let rules = try rules(Self.rest)
    var plan = SensingPlan()
    plan.migrate(to: rules)
    #expect(plan.mustPlan)
    #expect(plan.plan(try input(Self.rest)).isEmpty && !plan.mustPlan)
    let begun = plan.plan(try input(Self.rest, asked: [sensor]))
    guard case .begin(let source, let reader, period: let period)? = begun.first, begun.count == 1 else {
      Issue.record("no reading began")
      return
    }
    plan.began(source, reader, DemandID(-7), every: period)
    #expect(plan.isOwn(DemandID(-7)) && !plan.isOwn(DemandID(-8)))
    #expect(plan.plan(try input(Self.rest, asked: [sensor, motion])).isEmpty)
    let ended = plan.plan(try input(Self.rest))
    guard case .end(DemandID(-7))? = ended.first, ended.count == 1 else {
      Issue.record("no reading ended")
      return
    }
    plan.ended(DemandID(-7))
    #expect(!plan.isOwn(DemandID(-7)))
  }

  @Test(
    "after a reload, a reading is still charged to the same rule, even when an earlier rule also needs it")
  func payer() throws {
    let policy = Self.rest + "\nrule b when test.motion.gait is walking { emit \"up\" }"
    let rules = try rules(policy)
    var plan = SensingPlan()
    plan.migrate(to: rules)
    let readers = rules.sources[0].readers
    try #require(readers.count > 1, "the policy has one reader")
    plan.began(0, readers[1], DemandID(-7), every: nil)
    plan.migrate(to: rules)
    let asked = [sensor, motion]
    #expect(plan.plan(try input(policy, asked: asked)).isEmpty)
  }

  private func position(latitude: Double, radius: Double = 10) throws -> SensingInput.Position {
    let place = try #require(Coordinate(latitude: latitude, longitude: 8))
    return SensingInput.Position(place: place, radius: radius, instant: start)
  }

  @Test("a small distant zone changes neither the accuracy for a large zone nor the time of the next probe")
  func sizes() throws {
    let large = "zone canton = circle 47 8 radius 20 km\nrule here while inside(canton) { pause test.motion }"
    let both =
      large + "\nzone shed = circle 57 8 radius 40 m\nrule there while inside(shed) { pause test.motion }"
    let position = try position(latitude: 47.1, radius: 2000)
    var timers: [Instant] = []
    for text in [large, both] {
      var plan = SensingPlan()
      plan.migrate(to: try rules(text))
      #expect(plan.plan(try input(text, asked: [motion], position: position)).isEmpty)
      timers.append(plan.nextTimer)
    }
    #expect(timers[0] == timers[1] && timers[0] < .distantFuture)
    let accuracies = try rules(both).places?.readers.flatMap(\.circles.values).map(\.accuracyToDecide)
    #expect(accuracies.map { Set($0) } == [10_000, 20])
  }

  @Test("when the top speed in all manifests is halved, the time until the next probe doubles")
  func topSpeed() throws {
    var pauses: [TimeSpan] = []
    for speed in [45, 22.5] {
      let program = try bench.program(["policy \"p\"\n\(Self.here)"])
      var manifests = bench.governor.vocabulary.manifests
      for number in manifests.indices { manifests[number].figures["top_speed"] = Quantity(speed, .speed) }
      let vocabulary = Vocabulary(manifests: manifests).computing(program.computed)
      var plan = SensingPlan()
      plan.migrate(to: SensorRules(program, vocabulary, DirectiveIndex(program, vocabulary)))
      let position = try position(latitude: 48)
      #expect(plan.plan(try input(Self.here, asked: [motion], position: position)).isEmpty)
      pauses.append(plan.nextTimer - start)
    }
    #expect((1.9...2.1).contains(pauses[1].seconds / pauses[0].seconds), "\(pauses)")
  }

  @Test("the next probe begins when the host can have reached the border of the zone")
  func distance() throws {
    // One degree of latitude is 111.2 km, which takes 41 minutes at 45 m/s.
    for (latitude, seconds) in [(48.0, 2_000...2_500), (57, 24_000...25_500), (0, 86_400...86_400)] {
      var plan = SensingPlan()
      let rules = try rules(Self.here)
      plan.migrate(to: rules)
      let position = try position(latitude: latitude)
      #expect(plan.plan(try input(Self.here, asked: [motion], position: position)).isEmpty)
      let pause = Int((plan.nextTimer - start).seconds)
      #expect(seconds.contains(pause), "\(latitude): \(pause) s")
      #expect(plan.places.keptUntil == plan.nextTimer + PositionProbePlan.timeout)
      let due = plan.plan(
        try input(Self.here, asked: [motion], position: position, after: plan.nextTimer - start))
      guard case .probe(0, _)? = due.first else {
        Issue.record("\(latitude): no probe")
        continue
      }
    }
  }

  @Test("a rule that is evaluated for each demand probes the position for the zone that it reads")
  func perDemand() throws {
    // The first rule shifts the indexes of the facts, so that the two images number the zone differently.
    let text = """
      zone far = circle 0 8 radius 80 m
      zone home = circle 47 8 radius 80 m
      rule first while battery.level < 10 % and inside(far) { pause test.motion }
      rule own while inside(home) and client.background { pause test.motion }
      """
    let readers = try #require(try rules(text).places?.readers)
    let own = try #require(readers.first { $0.isPerDemand })
    #expect(own.circles.values.map(\.centre.latitude) == [47])
    #expect(Set(own.circles.keys) == Set(own.facts))
  }

  @Test("a reload that changes a zone causes a probe, and an unchanged zone does not")
  func changedZone() throws {
    for (text, isProbed) in [
      (Self.here, false), (Self.here.replacing("80 m", with: "90 m"), true),
      (Self.here.replacing("radius 80 m", with: "radius 80 m exit_after 1 min"), true),
    ] {
      var plan = SensingPlan()
      plan.migrate(to: try rules(Self.here))
      let position = try position(latitude: 48)
      #expect(plan.plan(try input(Self.here, asked: [motion], position: position)).isEmpty)
      plan.migrate(to: try rules(text))
      let changes = plan.plan(
        try input(text, asked: [motion], position: position, after: .minutes(6)))
      #expect(changes.isEmpty != isProbed, "\(text)")
    }
  }

  @Test("a provider that a rule keeps off gets no new probe, and its current probe ends")
  func keptOff() throws {
    let rules = try rules(Self.here)
    var plan = SensingPlan()
    plan.migrate(to: rules)
    #expect(plan.plan(try input(Self.here, asked: [motion], off: [sensor])).isEmpty)
    let begun = plan.plan(try input(Self.here, asked: [motion]))
    guard case .probe(let provider, _)? = begun.first else {
      Issue.record("no probe")
      return
    }
    plan.probeBegan(DemandID(-3), provider: provider, at: start)
    let ended = plan.plan(try input(Self.here, asked: [motion], off: [sensor], after: .seconds(1)))
    guard case .end(DemandID(-3))? = ended.first, ended.count == 1 else {
      Issue.record("the probe did not end")
      return
    }
  }
}
