import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("Derived facts, without a governor") struct DerivedFactsTests {
  private static let plain = Vocabulary(manifests: GovernorBench.manifests)
  private let sensor = plain.device("test.sensor") ?? -1
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  /// Derived facts with their inputs, for one policy.
  private struct Stage {
    var derived = DerivedFacts()
    var energy: EnergyMeter
    var devices = DeviceTable(DerivedFactsTests.plain)
    var vocabulary = DerivedFactsTests.plain

    init(_ body: String, at now: Instant) throws {
      energy = EnergyMeter(devices: devices.count, at: now)
      try load(body, at: now)
    }

    mutating func load(_ body: String, at now: Instant) throws {
      let program = try GovernorBench().program(["policy \"p\"\n" + body])
      let prepared = PreparedProgram(
        program, after: .init(image: nil, perDemandImage: nil, vocabulary: vocabulary))
      vocabulary = prepared.vocabulary
      derived.migrate(to: prepared, context(at: now), &energy)
    }

    func context(at now: Instant) -> DerivedContext {
      DerivedContext(
        facts: FactTable(count: vocabulary.facts.count), devices: devices, demands: DemandTable(),
        ruleServices: [],
        vocabulary: vocabulary, timeZone: .utc, now: now)
    }

    /// Updates the derived facts if necessary, and returns the published values.
    mutating func update(at now: Instant) -> [FactValue] {
      if derived.mustUpdate(at: now) { derived.update(context(at: now), &energy) }
      defer { derived.endPublishing() }
      return derived.publications.map(\.value)
    }
  }

  @Test("`wakeups` counts a wake-up for an hour, and the end of that hour is the next timer")
  func wakeups() throws {
    var stage = try Stage(
      "rule r while wakeups(test.sensor) > 2 per h { batch test.sensor until 5 min }", at: start)
    var values = stage.update(at: start)
    #expect(values == [.number(0)])
    stage.derived.happened(.turnedOn(sensor), at: start)
    stage.derived.happened(.turnedOn(sensor + 1), at: start)
    values = stage.update(at: start)
    #expect(values == [.number(1.0 / 3600)])
    #expect(stage.derived.nextTimer == start + .hours(1))
    values = stage.update(at: start + .minutes(59))
    #expect(values.isEmpty)
    values = stage.update(at: start + .hours(1))
    #expect(values == [.number(0)] && stage.derived.nextTimer == .distantFuture)
  }

  @Test(
    "the timer of a budget is the instant at which a limit is reached; a reload keeps the consumed energy")
  func budgets() throws {
    let budget = "budget trail = 6 J per hour on test.sensor { at 50 % { pause test.sensor } }"
    var stage = try Stage(budget, at: start)
    stage.devices.report(sensor, state: 1, period: nil)
    _ = stage.update(at: start)
    // At 60 mW, 3 J take 50 s.
    #expect(stage.derived.nextTimer == start + .seconds(50))
    var values = stage.update(at: start + .seconds(50))
    #expect(values.first == .number(0.5))
    try stage.load(
      budget + "\nrule r while battery.level < 5 % { pause test.sensor }", at: start + .seconds(60))
    values = stage.update(at: start + .seconds(60))
    #expect(values.first == .number(0.6))
    var memory = GovernorMemory(at: start + .seconds(60))
    stage.derived.remember(in: &memory, stage.context(at: start + .seconds(60)), &stage.energy)
    #expect(memory.meters.map(\.drawn) == [Energy(nanojoules: 3_600_000_000)])
  }

  @Test("policies without derived facts have no timer")
  func noTimer() throws {
    var stage = try Stage(
      "require unexplained(test.sensor) == 0 s and wakeups(test.sensor) < 1 per h", at: start)
    stage.derived.happened(.turnedOn(sensor), at: start)
    _ = stage.update(at: start)
    #expect(stage.derived.nextTimer < .distantFuture)
    try stage.load("rule r while battery.level < 5 % { pause test.sensor }", at: start)
    #expect(stage.derived.isEmpty && stage.derived.nextTimer == .distantFuture)
    let must = stage.derived.mustUpdate(at: start + .hours(2))
    #expect(!must)
  }

  @Test("a state machine makes one transition per instant; the next transition is a millisecond later")
  func machines() throws {
    let text = """
      machine ride starts parked {
        state parked { goto riding when battery.level < 50 % }
        state riding { goto parked when battery.level < 40 % }
      }
      """
    var stage = try Stage(text, at: start)
    _ = stage.update(at: start)
    var effects: [Effect] = []
    var moved = stage.derived.advance([false, false], at: start, &effects)
    #expect(!moved && effects.isEmpty)
    moved = stage.derived.advance([true, false], at: start, &effects)
    #expect(moved && effects == [.moved(machine: "p/ride", state: "riding")])
    moved = stage.derived.advance([false, true], at: start, &effects)
    #expect(!moved && stage.derived.nextTimer == start + .milliseconds(1))
    _ = stage.update(at: start + .milliseconds(1))
    moved = stage.derived.advance([false, true], at: start + .milliseconds(1), &effects)
    #expect(moved && effects.count == 2)
  }

  @Test("`batch_done` is true for one evaluation after a batch, and only when a policy reads it")
  func batches() throws {
    var stage = try Stage("rule r when test.sensor.batch_done { emit \"batch\" }", at: start)
    var values = stage.update(at: start)
    #expect(values == [.boolean(false)])
    stage.derived.batchDone(sensor)
    values = stage.update(at: start)
    #expect(values == [.boolean(true)] && stage.derived.observations.hasPulses)
    stage.derived.endObservedPulses(stage.context(at: start), stage.energy)
    values = stage.update(at: start)
    #expect(values == [.boolean(false)] && !stage.derived.observations.hasPulses)
    try stage.load("rule r while battery.level < 5 % { pause test.sensor }", at: start)
    stage.derived.batchDone(sensor)
    #expect(!stage.derived.observations.hasPulses)
  }
}
