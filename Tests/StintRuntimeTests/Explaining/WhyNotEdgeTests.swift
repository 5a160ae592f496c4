import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@Suite("Why a `when`, `every` or `goto` has not acted") struct WhyNotEdgeTests {
  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)

  private func governor(_ items: String) throws -> (Governor, [CheckedPolicy]) {
    let vocabulary = Vocabulary(
      manifests: try ReferencePhone.manifests(), declared: RandomCondition.facts)
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

  private func pass(_ governor: inout Governor, until end: Instant) {
    while governor.nextTimer <= end { _ = governor.step([], at: max(governor.nextTimer, governor.now)) }
    _ = governor.step([], at: end)
  }

  private func set(_ governor: inout Governor, _ path: String, _ value: FactValue) throws {
    _ = governor.step([.fact(try #require(governor.vocabulary.fact(path)), value)], at: governor.now)
  }

  private func count(_ governor: Governor, _ rule: String) -> Int {
    governor.ruleUse(at: governor.now)[RuleID(policy: "test", rule: rule)]?.count ?? 0
  }

  private static let machine = """
    machine m starts a {
      state a { goto b when c.mood is calm for 10 min }
      state b { goto a when m is b for 30 min or d.open }
    }
    """

  /// Policies, each with a rule and three times in minutes from the start. The first time is the time of the
  /// report. The second time is the expected time of the earliest action. The third time is the expected time
  /// of the action if no fact changes. The fact `c.mood` is calm from the start.
  private static let cases: [(String, String, after: Int64, earliest: Int64?, unaided: Int64?)] = [
    ("rule r when c.mood is calm for 10 min { emit \"x\" }", "r", 4, 10, 10),
    ("rule r when c.mood is calm for 10 min { emit \"x\" }", "r", 12, 22, nil),
    ("rule r when d.open or (c.mood is calm for 10 min) { emit \"x\" }", "r", 4, 4, 10),
    ("rule r when (d.open for 9 min) or (c.mood is calm for 10 min) { emit \"x\" }", "r", 4, 10, 10),
    ("rule r when (d.open for 2 min) or (c.mood is calm for 10 min) { emit \"x\" }", "r", 4, 6, 10),
    ("rule r when c.mood is calm for 10 min at most 1 per 3 h { emit \"x\" }", "r", 4, 10, 10),
    ("rule r when c.mood is calm for 10 min at most 1 per 3 h { emit \"x\" }", "r", 12, 190, nil),
    ("rule r when c.mood is calm for 10 min { stop gps for 5 min }", "r", 4, 10, 10),
    ("rule r every 50 min { emit \"x\" }", "r", 20, 50, 50),
    ("rule r every 50 min { emit \"x\" }", "r", 60, 100, 100),
    ("rule r every 50 min flex 10 min { emit \"x\" }", "r", 20, 50, 60),
    ("rule r every 50 min if d.open { emit \"x\" }", "r", 20, 50, nil),
    ("rule r every 50 min if c.mood is calm for 2 h { emit \"x\" }", "r", 20, 150, 150),
    (machine, "m-a-b", 4, 10, 10), (machine, "m-b-a", 12, 12, 40), (machine, "m-b-a", 4, nil, nil),
    (machine, "m-a-b", 12, nil, nil),
  ]

  @Test(
    "F2: the earliest time of an action is correct for `when`, `every` and `goto`, even with `or`",
    arguments: cases.indices)
  func earliest(number: Int) throws {
    let entry = Self.cases[number]
    var (governor, policies) = try governor(entry.0)
    try set(&governor, "c.mood", .symbol(0))
    try set(&governor, "d.open", .boolean(false))
    pass(&governor, until: Self.start + .minutes(entry.after))
    let rule = RuleID(policy: "test", rule: entry.1)
    let report = try #require(WhyNotReport(rule: rule, governor: governor, policies: policies))
    #expect(report.earliest == entry.earliest.map { Self.start + .minutes($0) }, "\(report.text)")
    #expect(report.unaided == entry.unaided.map { Self.start + .minutes($0) }, "\(report.text)")
    if entry.earliest == nil {
      #expect(report.text.contains("obstacle    test/m is "), "\(report.text)")
    }
  }

  @Test("the report on a rule that waits for an unknown fact ignores the expired value of the fact")
  func expired() throws {
    var (governor, policies) = try governor(
      "rule r when not known(gps.accuracy) for 3 min { stop gps for 5 min }")
    try set(&governor, "location.gnss.accuracy", .number(5))
    pass(&governor, until: Self.start + .minutes(1))
    let report = try #require(WhyNotReport("test/r", governor: governor, policies: policies))
    #expect(report.obstacles.isEmpty, "\(report.text)")
    // The value is too old after 10 s, and unknown 1 ns later.
    let end = Self.start + .minutes(3) + .seconds(10)
    #expect(report.unaided.map { $0 >= end && $0 < end + .seconds(1) } == true, "\(report.text)")
    #expect(report.earliest == report.unaided)
  }

  @Test("the report on a rule that has acted states both changes of the fact in their order")
  func acted() throws {
    var (governor, policies) = try governor(
      "rule r when not known(gps.accuracy) for 3 min { stop gps for 5 min }")
    try set(&governor, "location.gnss.accuracy", .number(5))
    pass(&governor, until: Self.start + .minutes(20))
    #expect(count(governor, "r") == 1)
    let report = try #require(WhyNotReport("test/r", governor: governor, policies: policies))
    let lines = report.text.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == [
        "test/r: not now",
        "  obstacle    location.gnss.accuracy is unknown; a new value would be enough",
        "  obstacle    then location.gnss.accuracy must become unknown",
      ], "\(report.text)")
    #expect(report.text.contains("condition   true already, and must first end: "), "\(report.text)")
    #expect(report.earliest == governor.now + .minutes(3), "\(report.text)")
  }

  @Test(
    "F2: when the obstacles of a random `when` rule are removed, the rule first acts at the stated time")
  func random() throws {
    let trials = Trials(1000)
    var cases = 0
    for seed in 1...(10 * UInt64(trials.count)) where cases < trials.count {
      var random = RandomCondition(seed: seed)
      let condition = random.text(depth: 3)
      let text =
        "rule r when \(condition) { emit \"x\" }\nrule w while \(condition) { downgrade gps to 100 m }"
      guard let (made, policies) = try? governor(text) else { continue }
      var governor = made
      for step in 0..<5 {
        let inputs = RandomCondition.facts.indices.compactMap { fact -> Input? in
          guard random.below(3) > 0, let number = governor.vocabulary.fact(RandomCondition.facts[fact].path)
          else { return nil }
          return .fact(number, random.value(of: fact))
        }
        pass(&governor, until: Self.start + .seconds(Int64(step * 60 + random.below(60))))
        _ = governor.step(inputs, at: governor.now)
      }
      guard !governor.rulesInForce.contains(RuleID(policy: "test", rule: "w")),
        let report = WhyNotReport("test/r", governor: governor, policies: policies),
        let earliest = report.earliest
      else { continue }
      cases += 1
      let before = count(governor, "r")
      let inputs: [Input] = report.obstacles.compactMap { obstacle in
        guard case .fact(let path, _, let needed) = obstacle else { return nil }
        return governor.vocabulary.fact(path).map { .fact($0, needed) }
      }
      let now = governor.now
      _ = governor.step(inputs, at: now)
      if earliest > now {
        pass(&governor, until: earliest - TimeSpan(nanoseconds: 1))
        #expect(count(governor, "r") == before, "too early, seed \(seed): \(condition)\n\(report.text)")
        pass(&governor, until: earliest)
      }
      #expect(
        count(governor, "r") == before + 1,
        "the rule did not act at the earliest time, seed \(seed): \(condition)\n\(report.text)")
    }
    #expect(cases == trials.count)
  }

  /// Forms of policies with a random condition, each with the name of the rule in question. The schedules
  /// begin 7 min after the start.
  private static let forms: [(String, @Sendable (String, String) -> String)] = [
    ("r", { one, _ in "rule r when \(one) { emit \"x\" }" }),
    ("r", { one, two in "rule r when \(one) or \(two) { emit \"x\" }" }),
    ("r", { one, two in "rule r when (\(one) and time in soon) or \(two) { emit \"x\" }" }),
    ("r", { one, _ in "rule r when (\(one) or time in soon) for 2 min { emit \"x\" }" }),
    ("m-p-q", { one, two in machine("goto q when \(one) or \(two)") }),
    ("m-p-q", { one, two in machine("goto q when (\(one) or \(two)) for 2 min") }),
    ("m-p-q", { one, two in machine("goto q when (\(one) for 3 min) or (\(two) and time in soon)") }),
    ("m-p-q", { one, two in machine("goto q when (m is p for 5 min) or (\(one) and \(two))") }),
  ]

  private static func machine(_ exit: String) -> String {
    "machine m starts o { state o { goto p when b.way >= 0 m } state p { \(exit) } state q { } }"
  }

  @Test("F2: no change of one fact makes a random `when` or `goto` act before the stated earliest time")
  func nothingSooner() throws {
    let trials = Trials(1000)
    var cases = 0
    for seed in 1...(10 * UInt64(trials.count)) where cases < trials.count {
      var random = RandomCondition(seed: seed)
      let form = Self.forms[random.below(Self.forms.count)]
      let text = form.1(random.text(depth: 2), random.text(depth: 2))
      guard
        let (made, policies) = try? governor("schedule soon = 10:07..10:20\n" + text)
      else { continue }
      var governor = made
      for step in 0..<4 {
        let inputs = RandomCondition.facts.indices.compactMap { fact -> Input? in
          guard random.below(3) > 0, let number = governor.vocabulary.fact(RandomCondition.facts[fact].path)
          else { return nil }
          return .fact(number, random.value(of: fact))
        }
        pass(&governor, until: Self.start + .seconds(Int64(step * 60 + random.below(60))))
        _ = governor.step(inputs, at: governor.now)
      }
      guard let report = WhyNotReport("test/\(form.0)", governor: governor, policies: policies),
        let earliest = report.earliest, earliest > governor.now
      else { continue }
      cases += 1
      let before = count(governor, form.0)
      for fact in RandomCondition.facts.indices {
        let number = try #require(governor.vocabulary.fact(RandomCondition.facts[fact].path))
        for _ in 0..<4 {
          let value = random.value(of: fact)
          var copy = governor
          _ = copy.step([.fact(number, value)], at: copy.now)
          pass(&copy, until: earliest - TimeSpan(nanoseconds: 1))
          #expect(
            count(copy, form.0) == before,
            "sooner with \(RandomCondition.facts[fact].path) = \(value), seed \(seed): \(text)\n\(report.text)"
          )
        }
      }
    }
    #expect(cases == trials.count)
  }
}
