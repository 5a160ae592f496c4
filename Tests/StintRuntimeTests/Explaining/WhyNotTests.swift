import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@Suite struct WhyNotTests {
  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
  private static let rule = RuleID(policy: "test", rule: "r")

  private func vocabulary() throws -> Vocabulary {
    Vocabulary(manifests: try ReferencePhone.manifests(), declared: RandomCondition.facts)
  }

  private func governor(_ items: String) throws -> (Governor, [CheckedPolicy]) {
    let vocabulary = try vocabulary()
    let text = "policy \"test\" version 1\nuse location.gnss as gps\n\(items)\n"
    let loaded = PolicyLoader(vocabulary: vocabulary).load([
      SourceText(file: "test.stint", bytes: Array(text.utf8))
    ])
    let program = try #require(
      loaded.program, "\(text)\n\(DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources))")
    var governor = Governor(vocabulary: vocabulary, at: Self.start)
    _ = try governor.load(program, at: Self.start)
    return (governor, loaded.policies)
  }

  /// Runs a governor without inputs up to an instant.
  private func pass(_ governor: inout Governor, until end: Instant) {
    while governor.nextTimer <= end { _ = governor.step([], at: max(governor.nextTimer, governor.now)) }
    _ = governor.step([], at: end)
  }

  private func publish(_ governor: inout Governor, _ obstacles: [WhyNotReport.Obstacle]) {
    let inputs: [Input] = obstacles.compactMap { obstacle in
      guard case .fact(let path, _, let needed) = obstacle, let number = governor.vocabulary.fact(path) else {
        return nil
      }
      return .fact(number, needed)
    }
    _ = governor.step(inputs, at: governor.now)
  }

  private func holds(_ governor: Governor) -> Bool { governor.rulesInForce.contains(Self.rule) }

  @Test(
    "F2: for random rules, the named obstacles are complete, and each of them blocks the rule"
  )
  func random() throws {
    var cases = 0
    var changes = 0
    var waits = 0
    let trials = Trials(5000)
    for seed in 1...(8 * UInt64(trials.count)) where cases < trials.count {
      var random = RandomCondition(seed: seed)
      let condition = random.text(depth: 3)
      guard let (made, policies) = try? governor("rule r while \(condition) { downgrade gps to 100 m }")
      else {
        // The checker rejects conditions with a constant value.
        continue
      }
      var governor = made
      for step in 0..<6 {
        let numbers = RandomCondition.facts.indices.compactMap { fact -> Input? in
          guard let number = governor.vocabulary.fact(RandomCondition.facts[fact].path), random.below(3) > 0
          else { return nil }
          return .fact(number, random.value(of: fact))
        }
        pass(&governor, until: Self.start + .seconds(Int64(step * 60 + random.below(60))))
        _ = governor.step(numbers, at: governor.now)
      }
      guard !holds(governor) else { continue }
      let report = try #require(
        WhyNotReport(rule: Self.rule, governor: governor, policies: policies), "seed \(seed)")
      guard let earliest = report.earliest else { continue }
      cases += 1
      changes += report.obstacles.count
      if earliest > governor.now { waits += 1 }
      let details = "seed \(seed): \(condition)\n\(report.text)"
      check(governor, report, earliest, details)
      for fact in RandomCondition.facts.indices {
        let value = random.value(of: fact)
        let sooner = hold(governor, RandomCondition.facts[fact].path, value, before: earliest)
        #expect(
          sooner == nil,
          "the rule is active before the earliest time with \(RandomCondition.facts[fact].path) = \(value): \(details)"
        )
      }
    }
    #expect(cases == trials.count)
    #expect(changes > trials.share(of: 3000))
    #expect(waits > trials.share(of: 500) / 2)
  }

  /// Publishes one fact now and returns the instant at which the rule becomes active. Returns nil when the
  /// rule is not active before `end`.
  private func hold(_ governor: Governor, _ path: String, _ value: FactValue, before end: Instant) -> Instant?
  {
    guard end > governor.now, let number = governor.vocabulary.fact(path) else { return nil }
    var copy = governor
    _ = copy.step([.fact(number, value)], at: copy.now)
    while !holds(copy), copy.nextTimer < end { _ = copy.step([], at: max(copy.nextTimer, copy.now)) }
    return holds(copy) ? copy.now : nil
  }

  /// Removes all obstacles of the report and checks that the rule becomes active at `earliest`, not before.
  /// Then keeps each single obstacle and checks that the rule is inactive at this time.
  private func check(
    _ governor: Governor, _ report: WhyNotReport, _ earliest: Instant, _ details: String
  ) {
    var free = governor
    publish(&free, report.obstacles)
    if earliest > governor.now {
      pass(&free, until: earliest - TimeSpan(nanoseconds: 1))
      let early = holds(free)
      #expect(!early, "too early: \(details)")
      pass(&free, until: earliest)
    }
    let happens = holds(free)
    #expect(happens, "the rule is not active at the earliest time: \(details)")
    for place in report.obstacles.indices {
      var rest = report.obstacles
      rest.remove(at: place)
      var hindered = governor
      publish(&hindered, rest)
      if earliest > governor.now { pass(&hindered, until: earliest) }
      let still = holds(hindered)
      #expect(
        !still,
        "the rule is active although this obstacle remains: \(report.words(report.obstacles[place])): \(details)"
      )
    }
  }

  @Test("F2: for at least 95 % of random inactive rules, the report contains the earliest time")
  func answers() throws {
    var asked = 0
    var answered = 0
    for seed in 5000...5300 as ClosedRange<UInt64> {
      var random = RandomCondition(seed: seed)
      let text = "rule r while \(random.text(depth: 2)) { downgrade gps to 100 m }"
      guard let (governor, policies) = try? governor(text), !holds(governor),
        let report = WhyNotReport(rule: Self.rule, governor: governor, policies: policies)
      else { continue }
      asked += 1
      if report.earliest != nil { answered += 1 }
    }
    #expect(asked > 100)
    // The remaining rules need one value of a fact and later another value of the same fact.
    #expect(answered * 100 >= asked * 95, "\(answered) of \(asked)")
  }

  @Test(
    "F2 W3: the report about a waiting rule contains its obstacles, the current values and its earliest time")
  func sentences() throws {
    var (governor, policies) = try governor(
      "rule r while a.level < 20 % and c.mood is calm for 4 min { downgrade gps to 100 m }")
    let level = try #require(governor.vocabulary.fact("a.level"))
    let mood = try #require(governor.vocabulary.fact("c.mood"))
    _ = governor.step([.fact(level, .number(0.5)), .fact(mood, .symbol(0))], at: Self.start)
    pass(&governor, until: Self.start + .minutes(1))
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(report.obstacles.count == 1)
    #expect(report.text.contains("a.level is 50 %"))
    #expect(report.earliest == Self.start + .minutes(4))
    #expect(report.text.contains("08:04:00"))
  }

  @Test(
    "F2: the report gives the earliest alternative, and when the rule becomes active if no fact changes")
  func alternatives() throws {
    var (governor, policies) = try governor(
      "rule r while (c.mood is calm for 10 min) or (d.open for 30 s) { downgrade gps to 100 m }")
    let mood = try #require(governor.vocabulary.fact("c.mood"))
    let open = try #require(governor.vocabulary.fact("d.open"))
    _ = governor.step([.fact(mood, .symbol(0)), .fact(open, .boolean(false))], at: Self.start)
    pass(&governor, until: Self.start + .minutes(1))
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(
      report.obstacles == [.fact(path: "d.open", present: .boolean(false), needed: .boolean(true))])
    #expect(report.earliest == Self.start + .seconds(90))
    #expect(report.unaided == Self.start + .minutes(10))
    #expect(report.text.contains("expected    08:10:00, if no fact changes"))
    pass(&governor, until: Self.start + .minutes(9) + .seconds(45))
    let late = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(late.obstacles.isEmpty)
    #expect(late.earliest == Self.start + .minutes(10))
    #expect(!late.text.contains("by itself"))
  }

  @Test("F2: a `for` whose span has not ended does not block a negated condition")
  func running() throws {
    var (governor, policies) = try governor(
      "rule r while not (c.mood is calm for 10 min) for 2 min { downgrade gps to 100 m }")
    let mood = try #require(governor.vocabulary.fact("c.mood"))
    _ = governor.step([.fact(mood, .symbol(0))], at: Self.start)
    pass(&governor, until: Self.start + .minutes(1))
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(report.obstacles.isEmpty)
    #expect(report.earliest == Self.start + .minutes(2))
  }

  @Test("F2: with two schedules, the earliest time is the first instant at which both conditions are true")
  func schedules() throws {
    let (governor, policies) = try governor(
      """
      schedule late = 16:00..19:30
      schedule tea = 15:00..17:00
      rule r while time in late and not time in tea { downgrade gps to 100 m }
      """)
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(report.obstacles.isEmpty)
    #expect(report.earliest == Self.start + .hours(9))
  }

  @Test("the earliest time has a date when it is on another day")
  func tomorrow() throws {
    let (governor, policies) = try governor(
      """
      schedule night = 01:00..01:30
      rule r while time in night { downgrade gps to 100 m }
      """)
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    let day = LocalMoment(Self.start + .hours(24), governor.timeZone).dated.prefix(10)
    #expect(report.text.contains("earliest    \(day) 01:00:00"), "\(report.text)")
  }

  @Test("F2: the report about a device that is off contains the missing demand, or the fact that must change")
  func device() throws {
    var (governor, policies) = try governor("rule r while c.mood is wild and d.open { stop gps }")
    let report = try #require(
      WhyNotReport(device: "location.gnss", governor: governor, policies: policies))
    #expect(report.obstacles == [.demand("location.gnss")])
    let mood = try #require(governor.vocabulary.fact("c.mood"))
    let open = try #require(governor.vocabulary.fact("d.open"))
    let demand = Demand(
      id: DemandID(1), client: "app", target: "location.gnss", wants: DemandSettings(accuracy: 5))
    _ = governor.step(
      [.fact(mood, .symbol(2)), .fact(open, .boolean(true)), .raise(demand)], at: Self.start)
    let stopped = try #require(
      WhyNotReport(device: "location.gnss", governor: governor, policies: policies))
    #expect(stopped.obstacles.count == 1)
    #expect(stopped.earliest == Self.start)
    guard case .fact(let path, _, _)? = stopped.obstacles.first else {
      Issue.record("\(stopped.text)")
      return
    }
    #expect(path == "c.mood" || path == "d.open")
    let effects = governor.step([.fact(mood, .symbol(0))], at: Self.start)
    #expect(
      effects.contains { effect in
        if case .set(_, let setting) = effect { setting.isOn } else { false }
      })
  }

  @Test("F2: the forecast assumes that sources publish facts again before the facts become too old")
  func aging() throws {
    var (governor, policies) = try governor("rule r while motion.activity is still for 4 min { pause gps }")
    let activity = try #require(governor.vocabulary.fact("motion.activity"))
    _ = governor.step([.fact(activity, .symbol(1))], at: Self.start)
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(
      report.obstacles == [.fact(path: "motion.activity", present: .symbol(1), needed: .symbol(0))])
    #expect(report.earliest == Self.start + .minutes(4))
  }

  @Test(
    "F2 W9: the report about an idle radio contains the rule with `batch` and the end of the batch"
  )
  func radio() throws {
    var (governor, policies) = try governor(
      "use radio.cellular as net\nrule r always { batch net until 2 MB or 30 min }")
    let wants = DemandSettings(transfer: Transfer(bytesUp: 10, bytesDown: 0, deadline: .hours(2)))
    _ = governor.step(
      [.raise(Demand(id: DemandID(1), client: "mail", target: "radio.cellular", wants: wants))],
      at: Self.start + .minutes(1))
    let report = try #require(
      WhyNotReport(device: "radio.cellular", governor: governor, policies: policies))
    #expect(report.obstacles == [.directive(Self.rule, until: Self.start + .minutes(31))])
    #expect(report.earliest == Self.start + .minutes(31))
    pass(&governor, until: Self.start + .minutes(31) - TimeSpan(nanoseconds: 1))
    let wait = try #require(WhyNotReport(device: "radio.cellular", governor: governor, policies: policies))
    #expect(wait.obstacles.count == 1)
    let effects = governor.step([], at: Self.start + .minutes(31))
    #expect(
      effects.contains { effect in
        if case .carry = effect { true } else { false }
      })
  }

  @Test("the report of an active rule contains “it is in force”, and an unknown name has no report")
  func others() throws {
    let (governor, policies) = try governor("rule r always { downgrade gps to 100 m }")
    let report = try #require(WhyNotReport(rule: Self.rule, governor: governor, policies: policies))
    #expect(report.happens)
    #expect(report.text.contains("it is in force"))
    let stranger = RuleID(policy: "test", rule: "x")
    #expect(WhyNotReport(rule: stranger, governor: governor, policies: policies) == nil)
    #expect(WhyNotReport(device: "no.such", governor: governor, policies: policies) == nil)
    #expect(WhyNotReport(device: "power.battery", governor: governor, policies: policies) == nil)
  }
}
