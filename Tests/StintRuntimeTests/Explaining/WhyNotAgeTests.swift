import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@Suite("Why a rule that tests the age of a fact is not in force") struct WhyNotAgeTests {
  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
  private static let rule = RuleID(policy: "test", rule: "r")

  /// Returns a governor with a rule, and the checked policy. `motion.activity` and `c.mood` are published at
  /// the start.
  private func governor(_ trigger: String, _ body: String = "downgrade gps to 100 m") throws
    -> (Governor, [CheckedPolicy])
  {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests(), declared: RandomCondition.facts)
    let text = "policy \"test\" version 1\nuse location.gnss as gps\nrule r \(trigger) { \(body) }\n"
    let loaded = PolicyLoader(vocabulary: vocabulary).load([
      SourceText(file: "test.stint", bytes: Array(text.utf8))
    ])
    let program = try #require(
      loaded.program, "\(text)\n\(DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources))")
    var governor = Governor(vocabulary: vocabulary, at: Self.start)
    _ = try governor.load(program, at: Self.start)
    try publish(&governor, "motion.activity", .symbol(0))
    try publish(&governor, "c.mood", .symbol(0))
    return (governor, loaded.policies)
  }

  private func publish(_ governor: inout Governor, _ path: String, _ value: FactValue) throws {
    _ = governor.step([.fact(try #require(governor.vocabulary.fact(path)), value)], at: governor.now)
  }

  private func pass(_ governor: inout Governor, until end: Instant) {
    while governor.nextTimer <= end { _ = governor.step([], at: max(governor.nextTimer, governor.now)) }
    _ = governor.step([], at: end)
  }

  private func minutes(_ count: Int64) -> Instant { Self.start + .minutes(count) }

  /// Conditions on the ages of facts, each with the expected instants in minutes. The maximum age of
  /// `motion.activity` is shorter than 35 min. The report is made after 5 min.
  private static let cases: [(String, earliest: Int64?, unaided: Int64?)] = [
    ("while age(motion.activity) > 35 min", 35, 35),
    ("while age(motion.activity) >= 35 min", 35, 35),
    ("while not (age(motion.activity) < 35 min)", 35, 35),
    ("when age(motion.activity) > 35 min", 35, 35),
    ("while age(motion.activity) > 35 min for 10 min", 45, 45),
    ("while age(motion.activity) > 35 min or c.mood is calm for 3 h", 35, 35),
    ("while age(motion.activity) > 35 min and c.mood is calm for 3 h", 180, 180),
    ("while age(motion.activity) > 35 min and d.open", 35, nil),
    ("while age(motion.activity) < 2 min", 5, nil),
    ("while age(motion.activity) < 2 min for 20 min", 25, nil),
    ("while age(a.level) > 35 min", 40, nil),
    ("while age(motion.activity) > 35 min and age(c.mood) < 10 min", 35, nil),
    ("when age(motion.activity) > 35 min and age(c.mood) < 10 min", 35, nil),
    ("while age(motion.activity) > 35 min and age(a.level) < 10 min", 35, nil),
    ("while age(a.level) > 35 min and age(motion.activity) < 2 min", 40, nil),
    ("while age(motion.activity) > 35 min and age(c.mood) < 10 min for 1 h", 60, nil),
  ]

  @Test(
    "F2: the earliest time of a condition on an age is correct, even beyond the maximum age of the fact",
    arguments: cases.indices)
  func earliest(number: Int) throws {
    let entry = Self.cases[number]
    let body = entry.0.hasPrefix("when") ? "emit \"x\"" : "downgrade gps to 100 m"
    var (governor, policies) = try governor(entry.0, body)
    pass(&governor, until: minutes(5))
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    func instant(_ count: Int64) -> Instant {
      // `>` holds from the first nanosecond after the age.
      let isStrict = entry.0.contains(") > 35 min") && count < 60
      return minutes(count) + (isStrict ? TimeSpan(nanoseconds: 1) : .zero)
    }
    #expect(report.earliest == entry.earliest.map(instant), "\(report.text)")
    #expect(report.unaided == entry.unaided.map(instant), "\(report.text)")
  }

  @Test("F2: the report names the fact that must get no new value")
  func silence() throws {
    var (governor, policies) = try governor("while age(motion.activity) > 35 min")
    pass(&governor, until: minutes(5))
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(
      report.text.contains("earliest    08:35:00, if no new value of motion.activity arrives"),
      "\(report.text)")
  }

  @Test("F2: the report names the facts that must get new values, and the facts that must get no new value")
  func mixed() throws {
    let rule = "when age(motion.activity) > 35 min and age(c.mood) < 10 min"
    var (governor, policies) = try governor(rule, "emit \"x\"")
    pass(&governor, until: minutes(5))
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    let assumption = "if no new value of motion.activity arrives and new values of c.mood keep arriving"
    #expect(report.text.contains("earliest    08:35:00, \(assumption)"), "\(report.text)")
    for minute in stride(from: 10, through: 35, by: 5) {
      try publish(&governor, "c.mood", .symbol(0))
      pass(&governor, until: minutes(Int64(minute)))
      #expect(governor.ruleUse(at: governor.now)[Self.rule]?.count ?? 0 == 0)
    }
    pass(&governor, until: minutes(36))
    #expect(governor.ruleUse(at: governor.now)[Self.rule]?.count == 1)
  }

  @Test(
    "F2: when only a fact's age counts, the report states that a new value is enough, even an equal value"
  )
  func renewal() throws {
    var (governor, policies) = try governor("while age(motion.activity) < 2 min")
    pass(&governor, until: minutes(5))
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(report.text.contains("motion.activity is unknown; a new value would be enough"), "\(report.text)")
    try publish(&governor, "motion.activity", .symbol(0))
    #expect(governor.rulesInForce.contains(Self.rule))
  }

  @Test("F2: while a fact's sensor is on, a rule on the fact's age has an earliest time but no expected time")
  func expected() throws {
    let rule = "while age(motion.activity) > 35 min"
    var (governor, policies) = try governor(rule)
    let demand = Demand(
      id: DemandID(1), client: "app", target: "motion.accelerometer", wants: DemandSettings())
    _ = governor.step([.raise(demand)], at: governor.now)
    pass(&governor, until: minutes(5))
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(
      report.earliest == minutes(35) + TimeSpan(nanoseconds: 1) && report.unaided == nil, "\(report.text)")
  }

  @Test("F2: without new values, no random rule with an age acts before the reported earliest time")
  func random() throws {
    var reports = 0
    for seed in Trials(2000).seeds {
      var random = RandomCondition(seed: seed)
      let age = "age(motion.activity) \(["<", ">", ">="][random.below(3)]) \(1 + random.below(20)) min"
      let join = ["and", "or"][random.below(2)]
      guard let made = try? governor("while \(age) \(join) \(random.text(depth: 2))") else { continue }
      var (governor, policies) = made
      for fact in RandomCondition.facts.indices {
        try publish(&governor, RandomCondition.facts[fact].path, random.value(of: fact))
      }
      pass(&governor, until: Self.start + .seconds(Int64(random.below(1200))))
      guard let report = WhyNotReport(rule: Self.rule, governor: governor, policies: policies),
        !report.happens, let earliest = report.earliest
      else { continue }
      reports += 1
      let end = min(earliest, Self.start + .hours(2)) - TimeSpan(nanoseconds: 1)
      guard end > governor.now else { continue }
      var isActive = false
      while governor.nextTimer <= end, !isActive {
        _ = governor.step([], at: max(governor.nextTimer, governor.now))
        isActive = governor.rulesInForce.contains(Self.rule)
      }
      #expect(!isActive, "seed \(seed): active at \(governor.now)\n\(report.text)")
    }
    #expect(reports > Trials(2000).share(of: 500))
  }
}
