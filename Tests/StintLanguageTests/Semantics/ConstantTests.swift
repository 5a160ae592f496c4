import StintLanguage
import StintModel
import StintUnits
import Testing

@Suite("Names in place of quantities")
struct ConstantTests {
  private static func check(_ body: String) -> (policy: CheckedPolicy?, diagnostics: [Diagnostic]) {
    let source = SourceText(file: "p", text: "policy \"p\"\nuse location.gnss as gps\n\(body)\n")
    let result = Checker.check([source], vocabulary: TestVocabulary.vocabulary)
    return (result.policies.first, result.diagnostics)
  }

  private static func rules(_ body: String) -> (rules: [String], codes: [DiagnosticCode]) {
    let (policy, diagnostics) = check(body)
    // The source spans differ between the texts, so the rules are compared without their spans.
    return (
      policy?.rules.map { rule in
        let condition = rule.trigger.condition.map(ConditionText([]).text) ?? "-"
        let directives = rule.directives.map { "\($0.directive.action) \(String(describing: $0.ending))" }
        var trigger = ""
        if case .every(let period, let flex, _) = rule.trigger {
          trigger = "\(period) \(String(describing: flex))"
        }
        if case .when(_, let atMost) = rule.trigger { trigger = String(describing: atMost) }
        return "\(trigger) \(condition) \(directives) \(rule.acts)"
      } ?? [], diagnostics.map(\.code)
    )
  }

  private static let declarations = """
    param hold = 5 min in 1 min .. 1 h
    param often = 1 per 10 min in 1 per h .. 1 Hz
    param near = 50 m in 10 m .. 2 km
    param energy = 100 J in 1 J .. 1 kJ
    param share = 80 % in 10 % .. 100 %
    param full = 25 % in 21 % .. 90 %
    let double = hold * 2
    let times = 2 * 4
    """
  private static let values = [
    "hold": "5 min", "often": "1 per 10 min", "near": "50 m", "energy": "100 J", "share": "80 %",
    "full": "25 %", "double": "10 min", "times": "8",
  ]

  @Test(
    "a rule with the name of a constant equals the rule with the quantity",
    arguments: [
      "rule r while screen.on for ⟨hold⟩ { pause gps }",
      "rule r while screen.on for ⟨double⟩ tolerate ⟨hold⟩ { pause gps }",
      "rule r while screen.on in last ⟨double⟩ { pause gps }",
      "rule r while battery.level below 20 % release ⟨full⟩ { pause gps }",
      "rule r when screen.on at most ⟨often⟩ { emit \"x\" }",
      "rule r every ⟨double⟩ flex ⟨hold⟩ if screen.on { emit \"x\" }",
      "rule r when screen.on { pause gps for ⟨hold⟩ doubling to ⟨double⟩ }",
      "rule r when screen.on { pause gps for ⟨hold⟩ at most ⟨times⟩ times }",
      "rule r when screen.on { fix gps to ⟨near⟩ timeout ⟨hold⟩ }",
      "rule r while screen.on { downgrade gps to ⟨near⟩ }",
      "rule r while screen.on { downgrade gps to ⟨often⟩ }",
      "rule r when screen.on at most 1 per ⟨hold⟩ { emit \"x\" }",
      "rule r when screen.on at most 2 per ⟨double⟩ { emit \"x\" }",
      "rule r while screen.on { downgrade gps to 1 per ⟨hold⟩ }",
      "rule r while screen.on { start gps with { rate 1 per ⟨hold⟩ } }",
      "rule r when wakeups(gps) > 6 per ⟨double⟩ { pause gps for 1 min }",
      "rule r while screen.on { start gps with { accuracy ⟨near⟩\n rate ⟨often⟩ } }",
      "rule r while screen.on { batch gps until ⟨double⟩ or ⟨near⟩ }",
      "rule r while screen.on { defer radio.cellular until screen.on deadline ⟨double⟩ }",
      "rule r while trend(gps.accuracy, ⟨hold⟩) < 5 m { pause gps }",
      "zone z = circle 47 8 radius ⟨near⟩ enter_after ⟨hold⟩\nrule r while inside(z) { pause gps }",
      "budget b = ⟨energy⟩ per day on gps { at ⟨share⟩ { pause gps } }",
      "machine m starts a { state a { goto b when screen.on for ⟨hold⟩ } state b { goto a when not screen.on } }",
    ])
  func means(_ text: String) {
    var named = text
    var written = text
    for (name, value) in Self.values {
      named = named.replacing("⟨\(name)⟩", with: name)
      written = written.replacing("⟨\(name)⟩", with: value)
    }
    let (expected, errors) = Self.rules(written)
    // A constant may be declared before or after its use.
    for body in [Self.declarations + "\n" + named, named + "\n" + Self.declarations] {
      let (found, codes) = Self.rules(body)
      #expect(found == expected && !found.isEmpty, "\(body)")
      #expect(codes.filter { $0 != .unused } == errors.filter { $0 != .unused })
    }
  }

  @Test("the times in a test of a policy may be names of constants")
  func times() throws {
    func test(_ hold: String, _ double: String) throws -> CheckedTest {
      let body = """
        test "t" {
          at \(hold) set screen.on = true, battery.level = full
          expect screen.on at \(hold)
          at \(hold) attach "app"
          expect screen.on by \(double) because r
        }
        rule r while screen.on { pause gps }
        """
      let (policy, diagnostics) = Self.check(Self.declarations + "\n" + body)
      #expect(diagnostics.allSatisfy { $0.code == .unused }, "\(diagnostics)")
      return try #require(policy?.tests.first)
    }
    let (named, written) = (try test("hold", "double"), try test("5 min", "10 min"))
    #expect(named.events.map(\.at) == written.events.map(\.at) && named.events.count == 2)
    #expect(named.events.map(\.kind) == written.events.map(\.kind))
    #expect(named.expectations.map(\.from) == written.expectations.map(\.from))
    #expect(named.expectations.map(\.until) == written.expectations.map(\.until))
    #expect(named.end == .minutes(10))
  }

  @Test(
    "a name that is not a constant of the expected dimension is an error",
    arguments: [
      ("rule r while screen.on for hold { pause gps }", DiagnosticCode.unknownName),
      ("let hold = 5 m\nrule r while screen.on for hold { pause gps }", .wrongUnit),
      ("let hold = gps.accuracy / 1 m/s\nrule r while screen.on for hold { pause gps }", .notConstant),
      ("let hold = hold\nrule r while screen.on for hold { pause gps }", .notConstant),
      ("let hold = screen.on\nrule r every hold { emit \"x\" }", .notConstant),
      ("let half = 1 / 2\nrule r when screen.on { stop gps for 5 s at most half times }", .outOfRange),
      ("let often = 5 s\nrule r when screen.on { stop gps for 5 s at most often times }", .wrongUnit),
      ("param a = 5 s in 1 s .. 9 s\nparam b = a in 1 s .. 9 s", .unexpected),
    ])
  func reports(_ text: String, _ code: DiagnosticCode) {
    #expect(Self.check(text).diagnostics.contains { $0.code == code && $0.severity == .error })
  }

  @Test(
    "a name that cannot be the time of a rate is reported at the name",
    arguments: [
      ("rule r when screen.on at most 1 per ⟦hour⟧ { emit \"x\" }", DiagnosticCode.unknownUnit),
      ("rule r when screen.on at most 1 per ⟦near⟧ { emit \"x\" }", .wrongUnit),
      ("rule r when screen.on at most ⟦1 per zero⟧ { emit \"x\" }", .outOfRange),
      ("rule r when starts(gps) > ⟦full⟧ { emit \"x\" }", .missingUnit),
    ])
  func rateWithoutTime(_ marked: String, _ code: DiagnosticCode) throws {
    let body =
      "param near = 50 m in 10 m .. 2 km\nlet zero = 0 s\nlet full = 3\n"
      + marked.replacing("⟦", with: "").replacing("⟧", with: "")
    let found = Self.check(body).diagnostics.filter { $0.severity == .error }
    #expect(found.map(\.code) == [code])
    let label = try #require(found.first?.labels.first)
    let text = Array("policy \"p\"\nuse location.gnss as gps\n\(body)\n".utf8)
    let place = String(decoding: text[label.span.start..<label.span.end], as: UTF8.self)
    #expect(marked.contains("⟦\(place)⟧"))
  }
}
