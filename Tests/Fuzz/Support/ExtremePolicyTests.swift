#if !FUZZING && !TURNING
  import StintLanguage
  import StintModel
  import StintRuntime
  import StintTestSupport
  import Testing

  @Suite("Policies near the limits")
  struct ExtremePolicyTests {
    @Test(
      "a random policy near the limits is rejected with a diagnostic, or compiles, verifies, loads and runs"
    )
    func random() throws {
      var accepted = 0
      let count = Trials(1200, fewest: 40).count
      for seed in 1...count {
        var policy = ExtremePolicy(seed: seed)
        let text = policy.text()
        do {
          if try CheckerStage.accepts(Array(text.utf8)) { accepted += 1 }
        } catch {
          Issue.record("\(error)\n\(text)")
        }
      }
      // A share outside these bounds would mean that almost all numbers are on one side of the limits.
      #expect(accepted > count / 10)
      #expect(accepted < count * 9 / 10)
    }

    /// Two policies: the first is within a limit, the second just exceeds the limit.
    struct Limit: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let within: String
      let beyond: String
      var code = DiagnosticCode.outOfRange
    }

    static let limits = spans + sizes + numbers

    private static let spans: [Limit] = [
      Limit(
        testDescription: "the period of a rule", within: "rule r every 1 ms { flush gps }",
        beyond: "rule r every 999999 ns { flush gps }"),
      Limit(
        testDescription: "the longest period", within: "rule r every 26687 d { flush gps }",
        beyond: "rule r every 26689 d { flush gps }"),
      Limit(
        testDescription: "the span of `for`", within: "rule r while screen.on for 26687 d { pause gps }",
        beyond: "rule r while screen.on for 26689 d { pause gps }"),
      Limit(
        testDescription: "a tolerated gap",
        within: "rule r while screen.on for 1 s tolerate 1 ms { pause gps }",
        beyond: "rule r while screen.on for 1 s tolerate 1 us { pause gps }"),
      Limit(
        testDescription: "the span of `in last`",
        within: "rule r while screen.on in last 1 ms { pause gps }",
        beyond: "rule r while screen.on in last 1 ns { pause gps }"),
      Limit(
        testDescription: "an age", within: "rule r while age(battery.level) > 1 h or screen.on { pause gps }",
        beyond: "rule r while age(battery.level) > 26689 d or screen.on { pause gps }"),
      Limit(
        testDescription: "the time between two acts",
        within: "rule r when screen.on at most 1000 per s { pause gps for 1 min }",
        beyond: "rule r when screen.on at most 1001 per s { pause gps for 1 min }"),
      Limit(
        testDescription: "the span of a directive", within: "rule r when screen.on { pause gps for 1 ms }",
        beyond: "rule r when screen.on { pause gps for 26689 d }"),
      Limit(
        testDescription: "the maximum age of facts", within: "default gps { max_age 1 ms }",
        beyond: "default gps { max_age 0 s }"),
      Limit(
        testDescription: "the latency of samples",
        within: "rule r while screen.on { start gps with { latency 0 s } }",
        beyond: "rule r while screen.on { start gps with { latency 1000000 d } }"),
    ]

    private static let sizes: [Limit] = [
      Limit(
        testDescription: "the stack depth of a chain", within: "rule r while \(chain(64)) { pause gps }",
        beyond: "rule r while \(chain(65)) { pause gps }", code: .tooDeep),
      Limit(
        testDescription: "the stack depth through lets", within: lets(33), beyond: lets(80), code: .tooDeep),
      Limit(
        testDescription: "the stack depth in a machine's state", within: machine(63), beyond: machine(64),
        code: .tooDeep),
      Limit(
        testDescription: "values in all windows", within: windows(rules: 2), beyond: windows(rules: 3),
        code: .doesNotFit),
    ]

    private static let numbers: [Limit] = [
      Limit(
        testDescription: "items of a batch",
        within: "rule r while screen.on { batch gps until 1\(zeros(18)) items }",
        beyond: "rule r while screen.on { batch gps until 1\(zeros(19)) items }", code: .badNumber),
      Limit(
        testDescription: "bytes of a batch",
        within: "rule r while screen.on { batch cell until 1\(zeros(9)) GB }",
        beyond: "rule r while screen.on { batch cell until 1\(zeros(10)) GB }", code: .badNumber),
      Limit(
        testDescription: "a literal with a unit",
        within:
          "rule r while battery.level < 5 % or gps.accuracy > 1\(zeros(15)) km { downgrade gps to 100 m }",
        beyond:
          "rule r while battery.level < 5 % or gps.accuracy > 1\(zeros(16)) km { downgrade gps to 100 m }",
        code: .badNumber),
      Limit(
        testDescription: "exponents of a dimension", within: "rule r while screen.on { pause gps }",
        beyond:
          "rule r while \((1...200).map { _ in "gps.accuracy" }.joined(separator: " * ")) > 5 m { pause gps }",
        code: .wrongUnit),
    ]

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    private static func chain(_ depth: Int) -> String {
      (1..<depth).reduce("screen.on") { inner, level in
        "battery.level < \(level) % \(level % 2 == 0 ? "and" : "or") (\(inner))"
      }
    }

    private static func lets(_ count: Int) -> String {
      (1..<count).reduce("let a0 = screen.on\n") { text, level in
        text + "let a\(level) = battery.level < 6 % or (a\(level - 1) and battery.level > 2 %)\n"
      } + "rule r while a\(count - 1) { pause gps }"
    }

    private static func machine(_ depth: Int) -> String {
      """
      machine m starts a {
        state a { goto b when \(chain(depth)) }
        state b { goto a when not screen.on for 1 min }
      }
      """
    }

    private static func windows(rules: Int) -> String {
      let windows = (1...400).map { _ in "avg(gps.accuracy, 1 h) > 20 m" }.joined(separator: " or ")
      return "let poor = \(windows) or screen.on\n"
        + (1...rules).map { "rule r\($0) while poor { downgrade gps to \($0)00 m }\n" }.joined()
    }

    @Test(
      "a policy within a limit is accepted, and a policy beyond the limit is rejected with a location",
      arguments: limits)
    func atLimit(limit: Limit) throws {
      let header =
        "policy \"limit\" version 1\nuse location.gnss as gps required\nuse radio.cellular as cell required\n"
      #expect(try CheckerStage.accepts(Array((header + limit.within + "\n").utf8)))
      let source = SourceText(file: "limit.stint", text: header + limit.beyond + "\n")
      let loaded = PolicyLoader(vocabulary: Phone.vocabulary).load([source])
      #expect(loaded.program == nil)
      let found = loaded.diagnostics.first { $0.code == limit.code }
      #expect(found?.severity == .error, "\(loaded.diagnostics.map(\.title))")
      #expect((found?.labels.first?.span.start ?? 0) >= header.utf8.count)
    }
  }
#endif
