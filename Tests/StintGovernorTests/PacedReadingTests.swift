import StintAuthoring
import StintGovernor
import StintLanguage
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("Readings of facts with a largest rate of change")
struct PacedReadingTests {
  /// The time between two samples near a limit, in seconds.
  private static let shortest = 10.0
  private static let maxRate = 0.0005

  private static func gauge(isPaced: Bool, maxAge: TimeSpan? = nil) -> Manifest {
    var level = FactSchema(
      path: "test.gauge.level", type: .quantity(.ratio), range: 0...1, maxAge: maxAge, device: "test.gauge")
    level.maxRate = isPaced ? maxRate : nil
    return Manifest(
      device: "test.gauge", kind: .sensor, title: "",
      states: [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(name: "on", power: Power(nanowatts: 60_000), isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
      verbs: Verb.allCases,
      attributes: [
        AttributeSchema(
          name: "rate", type: .quantity(.rate), range: 1 / 1280...1, fallback: .number(1 / shortest))
      ],
      facts: [level])
  }

  /// The figures of a run in which the value of the gauge changes by at most `maxRate` per second.
  private struct Day {
    var samples = 0
    /// The longest uninterrupted time, in seconds, in which the state of the rule did not match the value.
    var longestDifference = 0.0
    var periods: Set<TimeSpan> = []
  }

  private static func run(_ manifest: Manifest, _ limit: String, seed: UInt64) throws -> Day {
    var bench = try GovernorBench(extra: [manifest])
    try bench.load("policy \"p\"\nrule high while test.gauge.level \(limit) { pause test.sensor }", at: 0)
    _ = bench.raise("app", at: 0)
    let fact = try #require(bench.governor.vocabulary.fact("test.gauge.level"))
    var random = SeededGenerator(seed: seed)
    var (day, level, slope, differs, next) = (Day(), 0.2, 0.0, 0.0, 0.0)
    for second in 0..<20_000 {
      if second.isMultiple(of: 300) { slope = Double(Int.random(in: -5...5, using: &random)) / 5 * maxRate }
      level = min(max(level + slope, 0), 1)
      if Double(second) >= next {
        bench.input(.fact(fact, .number(level)), at: Double(second))
        let setting = try #require(bench.governor.status(of: "test.gauge")?.setting)
        #expect(setting.isOn)
        let period = setting.period ?? .seconds(10)
        next = Double(second) + period.seconds
        day.samples += 1
        day.periods.insert(period)
      }
      bench.run(to: Double(second))
      differs = bench.governor.isActive(rule: 0) == (level > 0.6) ? 0 : differs + 1
      day.longestDifference = max(day.longestDifference, differs)
    }
    return day
  }

  @Test("F19: a sensor works less often far from a limit, and detects a crossing at most 10 s late")
  func paced() throws {
    var periods: Set<TimeSpan> = []
    for seed in Trials(100, fewest: 3).seeds {
      let full = try Self.run(Self.gauge(isPaced: false), "> 60 %", seed: seed)
      let paced = try Self.run(Self.gauge(isPaced: true), "> 60 %", seed: seed)
      #expect(full.periods == [.seconds(10)])
      #expect(paced.longestDifference <= Self.shortest, "seed \(seed): \(paced.longestDifference) s")
      #expect(paced.samples < full.samples, "seed \(seed): \(paced.samples) of \(full.samples) samples")
      periods.formUnion(paced.periods)
    }
    // In some runs, the value stays far from the limit, and so the period does not change.
    #expect(periods.count > 2)
    #expect(periods.min() == .seconds(10) && periods.max() ?? .zero >= .seconds(320))
  }

  @Test("a fact with a maximum age is read before it becomes too old, and more often near a limit")
  func ages() throws {
    let manifest = Self.gauge(isPaced: true, maxAge: .minutes(4))
    let day = try Self.run(manifest, "> 60 %", seed: 3)
    #expect(day.longestDifference <= Self.shortest)
    #expect(day.periods.max() == .minutes(2))
    // Without the rate of change, the period follows from the age alone, and a crossing is detected later.
    let unpaced = try Self.run(Self.gauge(isPaced: false, maxAge: .minutes(4)), "> 60 %", seed: 3)
    #expect(unpaced.periods == [.minutes(2)] && unpaced.longestDifference > Self.shortest)
  }

  @Test("for a fact with a largest rate of change, `check` lists the shortest period of its readings")
  func listed() throws {
    let vocabulary = Vocabulary(manifests: GovernorBench.manifests + [Self.gauge(isPaced: true)])
    let text = "policy \"p\"\nrule high when test.gauge.level > 60 % { emit \"high\" }"
    let checked = Checker.check([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary)
    let need = try #require(ReadingNeed.all(checked.policies, vocabulary: vocabulary).first)
    #expect(need.period == .seconds(10) && need.isPaced)
    #expect(
      need.text.contains("every 10 s, less often while the values are far from the limits"), "\(need.text)")
  }
}
