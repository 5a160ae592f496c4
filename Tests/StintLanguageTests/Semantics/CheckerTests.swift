import StintLanguage
import StintModel
import StintUnits
import Testing

@Suite("Checker")
struct CheckerTests {
  private func check(_ texts: String...) -> (policies: [CheckedPolicy], errors: [Diagnostic]) {
    let sources = texts.enumerated().map { SourceText(file: "p\($0)", text: $1) }
    let result = Checker.check(sources, vocabulary: TestVocabulary.vocabulary)
    return (result.policies, result.diagnostics.filter { $0.severity == .error })
  }

  /// Returns the checked condition of a rule with this source text.
  private func condition(_ text: String) throws -> CheckedExpression.Kind {
    let (policies, errors) = check("policy \"p\"\nrule r while \(text) { pause location.gnss }")
    try #require(errors.isEmpty, "\(errors)")
    let rule = try #require(policies.first?.rules.first)
    guard case .whilst(let condition) = rule.trigger else {
      Issue.record("no condition")
      return .constant(.unknown)
    }
    return condition.kind
  }

  @Test("the checker accepts a complete policy and returns its rules and defaults")
  func example() throws {
    let (policies, errors) = check(Self.hiking)
    #expect(errors.map(\.title) == [])
    let policy = try #require(policies.first)
    #expect(policy.name == "hiking" && policy.version == 3)
    #expect(policy.rules.map(\.id.rule) == ["hold", "still", "saver", "giveup"])
    #expect(policy.rules.allSatisfy { !$0.isInert })
    #expect(
      policy.rules[0].directives.map(\.directive.action) == [.batch([.distance(500), .time(.minutes(5))])])
    let ending = policy.rules[3].directives.first?.ending
    #expect(ending == CheckedEnding(duration: .minutes(5), doublingTo: .hours(1)))
    #expect(policy.defaults.first?.linger == .seconds(5))
  }

  private static let hiking = """
    policy "hiking" version 3

    use location.gnss        as gps required
    use motion.accelerometer as accel

    let moving = motion.activity in [walking, running]
    let poor   = not known(gps.accuracy) or gps.accuracy > 50 m
    let flat   = not known(gps.accuracy) or trend(gps.accuracy, 90 s) > -5 m

    param hold_distance = 500 m in 100 m .. 2 km        # an operator or a tuner may change this value

    default gps { accuracy 10 m  activity fitness  background on  pause auto  linger 5 s  max_age 10 s }

    rule hold "collect fixes while the app is in the background"
    while app.state is background and moving {
      batch gps until hold_distance or 5 min
    }

    rule still "the accelerometer detects movement while the receiver is paused"
    while not moving for 4 min {
      pause gps
      downgrade accel to 1 Hz
    }

    rule saver while battery.level below 20 % release 25 % {
      downgrade gps to 100 m
      batch gps until 2 km or 15 min
    }

    rule giveup when (gps.on and poor) for 2 min and flat {
      stop gps for 5 min doubling to 1 h
    }
    """

  @Test("conditions become typed expressions in base units")
  func conditions() throws {
    guard
      case .latch(.below, _, let threshold, let release) = try condition(
        "battery.level below 20 % release 25 %")
    else {
      Issue.record("no latch")
      return
    }
    #expect(threshold.kind == .constant(.number(0.2)) && release.kind == .constant(.number(0.25)))
    #expect(threshold.type == .quantity(.ratio))
    guard
      case .heldFor(let held, TimeSpan.minutes(4), tolerate: .some(TimeSpan.seconds(30))) = try condition(
        "screen.on for 4 min tolerate 30 s")
    else {
      Issue.record("no for")
      return
    }
    #expect(held.kind == .fact("screen.on"))
    guard case .oneOf(_, let words) = try condition("motion.activity in [running, still]") else {
      Issue.record("no list")
      return
    }
    #expect(words == [.symbol(2), .symbol(0)])
    #expect(try condition("known(battery.level)") == .known("battery.level"))
    #expect(try condition("demanded(location.gnss)") == .demanded("location.gnss"))
    #expect(try condition("available(location.gnss)") == .fact("location.gnss.available"))
    #expect(try condition("10 min < age(battery.level)") == .age("battery.level", .greater, .minutes(10)))
  }

  @Test(
    "a comparison with a missing word gives one error",
    arguments: ["motion.activity is", "motion.activity is not", "motion.activity in [still, ]"])
  func missingWord(condition: String) {
    let (_, errors) = check("policy \"p\"\nrule r while \(condition) { stop location.gnss }")
    #expect(errors.map(\.code) == [.unexpected], "\(errors)")
  }

  @Test(
    "the checker accepts a comparison of each window function with a quantity of its result type",
    arguments: WindowFunction.allCases)
  func windows(function: WindowFunction) throws {
    let limit =
      switch function {
      case .count: "3"
      case .rate: "1 per min"
      case .trend, .spread, .avg, .min, .max: "5 m"
      }
    guard
      case .compare(_, let left, _) = try condition(
        "\(function.rawValue)(location.gnss.accuracy, 90 s) > \(limit)")
    else {
      Issue.record("no comparison")
      return
    }
    #expect(left.kind == .window(function, fact: "location.gnss.accuracy", .seconds(90)))
  }

  @Test("arithmetic of constants is folded, and units are multiplied and divided")
  func arithmetic() throws {
    guard case .compare(_, _, let limit) = try condition("location.gnss.accuracy > 2 * 10 m + 1 km / 4")
    else {
      Issue.record("no comparison")
      return
    }
    #expect(limit.kind == .constant(.number(270)))
    _ = try condition("location.gnss.speed * 10 s > 50 m")
    _ = try condition("location.gnss.distance / 10 s > 5 km/h")
  }

  @Test("if an optional device is missing, only the rules that need it are without effect")
  func inert() throws {
    let (policies, errors) = check(
      """
      policy "p"
      use location.lidar as lidar
      use location.gnss as gps
      let near = lidar.range < 5 m
      rule a always { stop lidar }
      rule b while near { pause gps }
      rule c while screen.on { pause gps }
      rule d while not available(lidar) { pause gps }
      """)
    #expect(errors.isEmpty)
    #expect(policies.first?.rules.map(\.isInert) == [true, true, false, false])
  }

  @Test("a standard fact that no device publishes is unknown, and a note names a suitable device")
  func absentFact() {
    let rules =
      "rule a when motion.activity is still { emit \"a\" }\nrule b when motion.activity is walking { emit \"b\" }"
    let text = "policy \"p\"\n" + rules
    let source = SourceText(file: "p.stint", text: text)
    let (policies, found) = Checker.check([source], vocabulary: Vocabulary(manifests: []))
    #expect(found.map(\.code) == [.missingOptionalDevice])
    #expect(found.first?.title == "no device publishes “motion.activity”, so it is unknown")
    #expect(found.first?.hint == "an accelerometer would publish it")
    #expect(policies.first?.rules.map(\.isInert) == [false, false])
  }

  @Test("a rule may override a rule of another policy, and cycles across policies are reported")
  func linking() {
    let pack = "policy \"mail\"\nrule pack always { batch radio.cellular until 5 min }"
    let busy =
      "policy \"work\"\nrule busy over mail/pack while screen.on { batch radio.cellular until 1 min }"
    let both = check(pack, busy)
    #expect(both.errors.isEmpty)
    #expect(both.policies[1].rules[0].overrides == [RuleID(policy: "mail", rule: "pack")])
    #expect(check(busy).errors.map(\.code) == [.unknownRule])
    let back = pack.replacing("rule pack", with: "rule pack over work/busy")
    #expect(check(back, busy).errors.map(\.code) == [.circularOver])
    #expect(check(pack, pack).errors.map(\.code).contains(.duplicateName))
  }

  @Test("a chain of 2000 rules, each of which overrides the next rule, is not reported as a cycle")
  func longRow() {
    let rules = (0..<2000).map { number in
      let over = number < 1999 ? "over r\(number + 1) " : ""
      return "rule r\(number) \(over)always { pause location.gnss }\n"
    }
    #expect(check("policy \"p\"\n" + rules.joined()).errors.isEmpty)
  }

  @Test("the checker sorts the devices of a list and of `all`, and the clients after `except`")
  func targets() {
    let (policies, errors) = check(
      """
      policy "p"
      rule a always { stop all except "sos", "map" }
      rule b always { batch [radio.cellular, location.gnss] until 5 min }
      """)
    #expect(errors.isEmpty)
    let directives = policies.first?.rules.flatMap(\.directives).map(\.directive) ?? []
    #expect(
      directives.map(\.targets) == [
        ["location.gnss", "motion.accelerometer", "radio.cellular"], ["location.gnss", "radio.cellular"],
      ])
    #expect(directives.first?.exceptions == ["map", "sos"])
  }

  @Test("checked rules with `when` or `every` have the acts, rate limit, period and flex of the text")
  func edges() throws {
    let (policies, errors) = check(
      """
      policy "p"
      rule a when screen.on at most 1 per 5 min { fix location.gnss to 25 m timeout 20 s }
      rule b every 1 h flex 5 min if screen.on { flush radio.cellular emit "tick" tell "app" "hi" launch "app" }
      """)
    #expect(errors.isEmpty)
    let rules = try #require(policies.first?.rules)
    guard case .when(_, .some(.minutes(5))) = rules[0].trigger,
      case .every(.hours(1), .some(.minutes(5)), .some) = rules[1].trigger
    else {
      Issue.record("\(rules.map(\.trigger))")
      return
    }
    #expect(rules[0].acts == [.fix(target: "location.gnss", accuracy: 25, timeout: .seconds(20))])
    #expect(
      rules[1].acts == [
        .flush(targets: ["radio.cellular"]), .emit("tick"), .tell(client: "app", text: "hi"), .launch("app"),
      ])
  }

  @Test("`a is not b` means `not (a is b)`")
  func isNot() throws {
    let negated = try condition("motion.activity is not still")
    guard case .not(let match) = negated, case .oneOf(_, let values) = match.kind else {
      Issue.record("\(negated)")
      return
    }
    #expect(values == [.symbol(0)])
    #expect(
      check("policy \"p\"\nlet a = motion.activity is not rolling").errors.map(\.code) == [.unknownWord])
  }

  @Test(
    "a required device is reported as unused only when no condition reads one of its facts",
    arguments: [
      ("motion.activity is still", 0), ("known(motion.activity)", 0), ("screen.on", 1),
      ("age(motion.activity) > 5 min", 0),
    ])
  func publisher(_ condition: String, _ count: Int) {
    let text = """
      policy "p"
      use location.gnss as gps required
      use motion.accelerometer as accel required
      rule a while \(condition) { pause gps }
      """
    let result = Checker.check([SourceText(file: "p", text: text)], vocabulary: TestVocabulary.vocabulary)
    #expect(result.diagnostics.count { $0.code == .unused } == count)
  }

  @Test(
    "a release value on the wrong side of its threshold is an error with a hint and no automatic fix",
    arguments: ["below 20 % release 15 %", "above 15 % release 20 %"])
  func wrongRelease(_ limits: String) throws {
    let found = check("policy \"p\"\nrequire battery.level \(limits)").errors
    #expect(found.map(\.code) == [.wrongRelease])
    #expect(found.first?.fix == nil && found.first?.hint != nil)
  }
}
