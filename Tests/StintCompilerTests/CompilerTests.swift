import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("The compiler")
struct CompilerTests {
  private func compile(
    _ rules: [CheckedRule], defaults: [CheckedDefaults] = [],
    vocabulary: Vocabulary = RuleVMBench.vocabulary()
  ) throws -> Image {
    let policy = CheckedPolicy(name: "p", version: 1, file: "", defaults: defaults, rules: rules)
    return try ImageVerifier.verify(Compiler.compile([policy], vocabulary: vocabulary)).image
  }

  @Test(
    "the smallest max_age of a device replaces the manifest's maximum age; the fact `on` has no maximum age"
  )
  func appliesAges() throws {
    let reads = all(truth(.known("gps.accuracy")), flag("gps.on"), truth(.known("x")))
    let defaults = [40, 20, 60].map {
      CheckedDefaults(device: "gps", wants: DemandSettings(), maxAge: .seconds($0))
    }
    let other = CheckedDefaults(device: "modem", wants: DemandSettings(), maxAge: .seconds(1))
    #expect(try compile([rule(.whilst(reads))]).facts.map(\.maxAge) == [.seconds(30), nil, nil])
    #expect(
      try compile([rule(.whilst(reads))], defaults: defaults + [other]).facts.map(\.maxAge)
        == [.seconds(20), nil, nil])
  }

  @Test("overridden rules are found by their names, and names of rules that are not in the image are omitted")
  func linksOverrides() throws {
    let image = try compile([
      rule("busy", .always, over: ["pack", "missing"]), rule("pack", .always),
      rule("calm", .always, over: ["busy"]),
    ])
    #expect(image.overrides == [ImageOverride(winner: 0, loser: 1), ImageOverride(winner: 2, loser: 0)])
  }

  @Test("the duration of a `defer` of a `when` rule is the deadline of this `defer`")
  func endsAtDeadline() throws {
    let directive = Directive(
      rule: ruleID("r"), action: .postpone(deadline: .minutes(9)), targets: ["modem"])
    let image = try compile([
      rule(
        .when(flag("a"), atMost: nil),
        [CheckedDirective(directive: directive, until: flag("b"), span: nowhere)])
    ])
    #expect(image.directives[0].duration == .minutes(9))
    #expect(!image.directives[0].until.isEmpty)
  }

  @Test(
    "the cost of the worst step counts each rule's code once, and counts the `until` of a `when` rule twice")
  func costs() throws {
    let directive = CheckedDirective(
      directive: Directive(rule: ruleID("r"), action: .postpone(deadline: .minutes(9)), targets: ["modem"]),
      until: flag("b"), span: nowhere)
    let level = try compile([rule(.whilst(flag("a")), [directive])])
    let edge = try compile([rule(.when(flag("a"), atMost: nil), [directive])])
    #expect(level.code.count == 2 && edge.code.count == 2)
    #expect(ImageCost(of: level) == ImageCost(of: level) { $0 == ruleID("r") })
    #expect(ImageCost(of: level).worstStep == 2)
    #expect(ImageCost(of: edge).worstStep == 3)
    #expect(ImageCost(of: edge) { _ in false }.worstStep == 0)
  }

  @Test(
    "a window has room for all values of its source and 2 more, from 16 to 4096; without a rate, for 1024",
    arguments: [(nil, 1024), (Int64(1000), 92), (60_000, 16), (1, 4096)])
  func sizesWindows(fastest: Int64?, capacity: Int) throws {
    let vocabulary = RuleVMBench.vocabulary(fastest: fastest.map { .milliseconds($0) })
    let window = number(.window(.avg, fact: "x", .seconds(90)))
    let image = try compile([rule(.whilst(compare(window, .less, number(1))))], vocabulary: vocabulary)
    #expect(image.slots.map(\.kind) == [.window(.avg, fact: 0, .seconds(90), capacity: capacity)])
  }

  @Test("the state slot of an expression is found by its source range")
  func findsSlots() throws {
    var waits = flag("a").held(.seconds(10))
    waits.span = SourceSpan(start: 40, end: 52)
    let image = try compile([rule(.whilst(any(flag("b").held(.seconds(1)), waits)))])
    #expect(image.slot(of: ruleID("r"), at: 40..<52) == 1)
    #expect(image.slot(of: ruleID("other"), at: 40..<52) == nil)
  }

  @Test("a rule whose device is missing is in the image and is never active")
  func keepsInertRules() throws {
    var inert = rule(.always, [stop()])
    inert.isInert = true
    var probe = try RuleVMBench([inert])
    #expect(probe.settle() == [])
    #expect(!probe.machine.isActive(rule: 0) && !probe.machine.isInForce(directive: 0))
  }

  @Test("decisions do not depend on the order of rules in the file", arguments: Trials(600).rounds)
  func ignoresOrder(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed) &+ 5)
    var expressions = RandomExpressions(generator: SplitMix(seed: UInt64(seed) &+ 1 << 42))
    let rules = (0..<4).map { place in
      rule("r\(place)", .whilst(expressions.condition(depth: 2)), [stop(rule: "r\(place)")])
    }
    let schedules = ["one", "two"].map {
      CheckedSchedule(name: $0, windows: [.init(days: [], from: .seconds(4), to: .seconds(19))])
    }
    let story = Story(using: &generator)
    let vocabulary = RuleVMBench.vocabulary(maxAge: .seconds(4))
    var probes = try [rules, rules.reversed(), rules].map {
      try RuleVMBench($0, schedules: schedules, vocabulary: vocabulary)
    }
    for second in story.events.indices {
      for place in probes.indices {
        _ = probes[place].run(to: Double(second) - 0.5)
        probes[place].go(to: Double(second))
        for event in story.events[second] { probes[place].tell(event) }
        probes[place].settle()
      }
      let inForce = probes.map { probe in rules.indices.map { probe.machine.isInForce(directive: $0) } }
      #expect(inForce[0] == inForce[1].reversed(), "seed \(seed), \(second) s")
      #expect(inForce[0] == inForce[2])
      #expect(probes[0].machine.nextTimer == probes[1].machine.nextTimer)
    }
  }
}
