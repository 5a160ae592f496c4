import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import StintRuntime

@Suite("Why a condition holds or does not")
struct ConditionExplainerTests {
  static let words = ["still", "walking", "running"]
  static let activity = FactType.symbol(words)
  static let vocabulary = Vocabulary(
    manifests: [],
    declared: [
      FactSchema(path: "battery.level", type: .quantity(.ratio)),
      FactSchema(path: "motion.activity", type: activity, maxAge: .minutes(1)),
      FactSchema(path: "screen.on", type: .boolean),
      FactSchema(path: "app.limit", type: .quantity(.ratio)),
    ])

  static let level = node(.fact("battery.level"), .quantity(.ratio))
  static let low = node(.compare(.less, level, ratio(0.2)))
  static let screen = node(.fact("screen.on"))
  static let isStill = node(
    .compare(.equal, node(.fact("motion.activity"), activity), node(.constant(.symbol(0)), activity)))
  static let moves = node(.oneOf(node(.fact("motion.activity"), activity), [.symbol(1), .symbol(2)]))
  static let latch = node(.latch(.below, value: level, threshold: ratio(0.2), release: ratio(0.25)))
  static let rested = node(.heldFor(isStill, .minutes(4), tolerate: nil))

  static func node(_ kind: CheckedExpression.Kind, _ type: FactType = .boolean) -> CheckedExpression {
    CheckedExpression(kind: kind, type: type, span: SourceSpan(start: 0, end: 0))
  }

  static func ratio(_ value: Double) -> CheckedExpression {
    node(.constant(.number(value)), .quantity(.ratio))
  }

  /// Thursday, 14:05:00.
  static let now = Instant.epoch + .hours(14) + .minutes(5)

  static func explain(
    _ expression: CheckedExpression, _ facts: [String: FactValue],
    _ memory: Situation.Memory = Situation.Memory(), published: Instant? = now - .seconds(90),
    schedules: [CheckedSchedule] = []
  ) -> Explanation {
    let situation = Situation(
      now: now, vocabulary: vocabulary, schedules: schedules, value: { facts[$0] ?? .unknown },
      published: { facts[$0] == nil ? nil : published }, memory: { _ in memory })
    return ConditionExplainer(situation).explain(expression)
  }

  @Test("the explanation of a condition on a missing device states that a device is missing")
  func missing() {
    let mass = Self.node(.constant(.unknown), .quantity(.ratio))
    let explanation = Self.explain(Self.node(.compare(.less, mass, Self.ratio(0.2))), [:])
    #expect(explanation.sentence == "unknown: a device of the condition is missing")
  }

  @Test("a `for` in a state's exit condition is explained as the author wrote it")
  func countedInState() throws {
    let text = """
      policy "p"
      machine m starts a { state a { goto b when screen.on for 20 s } state b { goto a when not screen.on } }
      """
    let result = Checker.check([SourceText(file: "p", text: text)], vocabulary: Self.vocabulary)
    let goto = try #require(result.policies.first?.rules.first?.trigger.condition)
    let vocabulary = Vocabulary(
      manifests: [], declared: Self.vocabulary.facts + (result.policies.first?.computed.map(\.schema) ?? []))
    func sentence(_ state: Int, isOn: Bool, since: Instant?) -> String {
      let facts: [String: FactValue] = ["p/m": .symbol(state), "screen.on": .boolean(isOn)]
      let situation = Situation(
        now: Self.now, vocabulary: vocabulary, value: { facts[$0] ?? .unknown },
        published: { _ in Self.now }, memory: { _ in Situation.Memory(since: since) })
      return ConditionExplainer(situation).explain(goto).sentence
    }
    #expect(
      sentence(0, isOn: true, since: Self.now - .seconds(5))
        == "screen.on: true since 14:04:55, would hold at 14:05:15 if nothing changes")
    #expect(sentence(0, isOn: false, since: nil) == "screen.on is false, needs true, for 20 s")
    #expect(
      sentence(1, isOn: true, since: nil) == "p/m is b, needs a; and screen.on: must then stay true for 20 s")
    #expect(
      sentence(0, isOn: true, since: Self.now - .seconds(30))
        == "p/m is a, needs anything but a; or screen.on is true, needs false")
  }

  @Test(
    "a false comparison is explained by the value that it needs, a true comparison by the value that ends it")
  func comparison() {
    let high: [String: FactValue] = ["battery.level": .number(0.41)]
    #expect(
      Self.explain(Self.low, high)
        == Explanation(truth: .no, sentence: "battery.level is 41 %, needs below 20 %"))
    #expect(
      Self.explain(Self.low, ["battery.level": .number(0.1)])
        == Explanation(truth: .yes, sentence: "battery.level is 10 %, needs at least 20 %"))
    let turned = Self.node(.compare(.greater, Self.ratio(0.2), Self.level))
    #expect(Self.explain(turned, high).sentence == "battery.level is 41 %, needs below 20 %")
    let limit = Self.node(.compare(.less, Self.level, Self.node(.fact("app.limit"), .quantity(.ratio))))
    #expect(
      Self.explain(limit, ["battery.level": .number(0.41), "app.limit": .number(0.3)]).sentence
        == "battery.level is 41 %, needs below app.limit, 30 %")
  }

  @Test("the end of a true condition is described by the operands that must change")
  func ending() {
    let facts: [String: FactValue] = [
      "battery.level": .number(0.1), "screen.on": .boolean(true), "motion.activity": .symbol(0),
    ]
    func ending(_ expression: CheckedExpression) -> String {
      let situation = Situation(
        now: Self.now, vocabulary: Self.vocabulary, schedules: [], value: { facts[$0] ?? .unknown },
        published: { facts[$0] == nil ? nil : Self.now }, memory: { _ in Situation.Memory() })
      return ConditionExplainer(situation).ending(of: expression)
    }
    #expect(ending(Self.low) == "battery.level is at least 20 %")
    #expect(ending(Self.isStill) == "motion.activity is not still")
    #expect(ending(Self.rested) == "motion.activity is not still")
    #expect(ending(Self.latch) == "battery.level is above 25 %")
    #expect(ending(Self.node(.not(Self.moves))) == "motion.activity is walking or running")
    #expect(
      ending(Self.node(.and([Self.low, Self.screen])))
        == "battery.level is at least 20 % or screen.on is false")
    #expect(ending(Self.node(.or([Self.moves, Self.screen]))) == "screen.on is false")
    #expect(ending(Self.node(.inLast(Self.screen, .minutes(2)))) == "screen.on is false, for 2 min")
    #expect(ending(Self.node(.known("battery.level"))) == "battery.level is unknown")
    let aged = Self.node(.age("battery.level", .less, .minutes(1)))
    #expect(ending(aged) == "battery.level is older than 1 min")
  }

  @Test("X11: an unknown fact that was known before is named, with the time at which it lost its value")
  func ended() throws {
    let centre = try #require(Coordinate(latitude: 47, longitude: 8))
    let zone = Zone(shape: .circle(centre, radius: 100))
    let schema = FactSchema(path: "inside(p/home)", type: .boolean)
    let vocabulary = Self.vocabulary.computing([ComputedFact(schema: schema, source: .zone(zone, .inside))])
    func sentence(_ path: String) -> String {
      let situation = Situation(
        now: Self.now, vocabulary: vocabulary, value: { _ in .unknown }, end: { _ in Self.now - .minutes(3) })
      return ConditionExplainer(situation).explain(Self.node(.fact(path))).sentence
    }
    #expect(sentence("inside(p/home)") == "unknown: inside(p/home), its value expired at 14:02:00, 3 min ago")
    #expect(sentence("screen.on") == "unknown: screen.on, its value was withdrawn at 14:02:00, 3 min ago")
  }

  @Test("X11: an unknown fact is named, with the time of its last publication")
  func unknown() {
    #expect(
      Self.explain(Self.low, [:])
        == Explanation(truth: .unknown, sentence: "unknown: battery.level, never published"))
    #expect(
      Self.explain(Self.low, ["battery.level": .unknown]).sentence
        == "unknown: battery.level, last published at 14:03:30, 1 min 30 s ago")
    #expect(Self.explain(Self.node(.not(Self.low)), [:]).truth == .unknown)
    #expect(Self.explain(Self.rested, [:]).sentence == "unknown: motion.activity, never published")
  }

  @Test("word values are written by name, alone and in lists")
  func symbols() {
    let still: [String: FactValue] = ["motion.activity": .symbol(0)]
    #expect(Self.explain(Self.moves, still).sentence == "motion.activity is still, needs walking or running")
    #expect(
      Self.explain(Self.node(.not(Self.moves)), ["motion.activity": .symbol(2)]).sentence
        == "motion.activity is running, needs anything but walking or running")
    #expect(
      Self.explain(Self.isStill, still).sentence == "motion.activity is still, needs anything but still")
  }

  @Test(
    "a false conjunction needs all its false operands to become true; a false disjunction needs one operand")
  func joined() {
    let facts: [String: FactValue] = ["battery.level": .number(0.41), "screen.on": .boolean(false)]
    #expect(
      Self.explain(Self.node(.and([Self.screen, Self.low])), facts).sentence
        == "screen.on is false, needs true; and battery.level is 41 %, needs below 20 %")
    #expect(
      Self.explain(Self.node(.or([Self.screen, Self.low])), facts).sentence
        == "screen.on is false, needs true; or battery.level is 41 %, needs below 20 %")
    #expect(
      Self.explain(Self.node(.and([Self.node(.not(Self.screen)), Self.low])), facts).sentence
        == "battery.level is 41 %, needs below 20 %")
    let implied = Self.node(.implies(Self.screen, Self.low))
    #expect(Self.explain(implied, facts).truth == .yes)
    #expect(
      Self.explain(implied, ["battery.level": .number(0.41), "screen.on": .boolean(true)]).sentence
        == "screen.on is true, needs false; or battery.level is 41 %, needs below 20 %")
  }

  @Test(
    "a condition with `release` is explained by its threshold while false, by its release value while true")
  func latch() {
    let between: [String: FactValue] = ["battery.level": .number(0.22)]
    #expect(
      Self.explain(Self.latch, between)
        == Explanation(truth: .no, sentence: "battery.level is 22 %, needs below 20 %"))
    #expect(
      Self.explain(Self.latch, between, .init(isClosed: true))
        == Explanation(truth: .yes, sentence: "battery.level is 22 %, needs above 25 %"))
  }

  @Test("a `for` condition reports since when its operand is true, and when the condition would become true")
  func heldFor() {
    let still: [String: FactValue] = ["motion.activity": .symbol(0)]
    let since = Self.now - .seconds(230)
    #expect(
      Self.explain(Self.rested, still, .init(since: since))
        == Explanation(
          truth: .no,
          sentence:
            "motion.activity is still: true since 14:01:10, would hold at 14:05:10 if nothing changes",
          changesAt: since + .minutes(4)))
    #expect(Self.explain(Self.rested, still, .init(since: Self.now - .minutes(4))).truth == .yes)
    #expect(
      Self.explain(Self.rested, ["motion.activity": .symbol(1)]).sentence
        == "motion.activity is walking, needs still, for 4 min")
  }

  @Test("an `in last` condition reports when it would end")
  func inLast() {
    let recent = Self.node(.inLast(Self.isStill, .minutes(10)))
    let walking: [String: FactValue] = ["motion.activity": .symbol(1)]
    let last = Self.now - .minutes(4)
    let remembered = Self.explain(recent, walking, .init(since: last))
    #expect(remembered.truth == .yes)
    #expect(remembered.changesAt == last + .minutes(10))
    #expect(
      remembered.sentence
        == "motion.activity is still: last true at 14:01:00, counts until 14:11:00 if nothing changes")
    #expect(
      Self.explain(recent, walking).sentence == "motion.activity is walking, needs still, once in 10 min")
  }

  @Test("a schedule condition reports the time, its windows and its next change")
  func schedule() {
    let work = CheckedSchedule(
      name: "work", windows: [.init(days: [0, 1, 2, 3, 4], from: .hours(7), to: .hours(19))])
    let inside = Self.explain(Self.node(.inSchedule(0)), [:], schedules: [work])
    #expect(inside.truth == .yes)
    #expect(inside.sentence == "it is 14:05, inside of schedule work (weekdays 07:00..19:00)")
    #expect(inside.changesAt == Instant.epoch + .hours(19))
    let night = CheckedSchedule(name: "night", windows: [.init(days: [], from: .hours(22), to: .hours(6))])
    let outside = Self.explain(Self.node(.inSchedule(0)), [:], schedules: [night])
    #expect(outside.truth == .no)
    #expect(outside.changesAt == Instant.epoch + .hours(22))
  }

  @Test("when a clock change skips the start of a schedule, the next change is at the clock change")
  func scheduleInSpring() throws {
    let leap = TimeZoneYear.berlin.changes[0].instant
    let night = CheckedSchedule(name: "night", windows: [.init(days: [], from: .minutes(150), to: .hours(6))])
    let situation = Situation(
      now: leap - .minutes(30), timeZone: try TimeZoneRules(TimeZoneYear.berlin.rule),
      vocabulary: Self.vocabulary,
      schedules: [night], value: { _ in .unknown })
    let explanation = ConditionExplainer(situation).explain(Self.node(.inSchedule(0)))
    #expect(explanation.sentence == "it is 01:30, outside of schedule night (02:30..06:00)")
    #expect(explanation.changesAt == leap)
  }

  @Test(
    "a false `known` condition needs a value; a true `known` condition ends when its fact becomes unknown")
  func known() {
    let asked = Self.node(.known("motion.activity"))
    #expect(Self.explain(asked, [:]).truth == .no)
    #expect(Self.explain(asked, [:]).sentence == "unknown: motion.activity, never published")
    let fresh = Self.explain(asked, ["motion.activity": .symbol(1)], published: Self.now)
    #expect(fresh.sentence == "motion.activity is walking, needs to be unknown")
    #expect(fresh.changesAt == nil, "a source that continues to publish keeps the fact known")
    let one = Self.node(.oneOf(Self.node(.fact("motion.activity"), Self.activity), [.symbol(0)]))
    let rests = Self.node(.heldFor(one, .minutes(4), tolerate: nil))
    #expect(
      Self.explain(rests, ["motion.activity": .symbol(0)], .init(since: Self.now)).sentence
        .hasPrefix("motion.activity is still: true since 14:05:00"))
  }

  @Test("an age condition becomes true when no new value arrives, and its explanation gives the time")
  func age() {
    let old = Self.node(.age("motion.activity", .greater, .minutes(2)))
    let explained = Self.explain(old, ["motion.activity": .symbol(1)])
    #expect(explained.truth == .no)
    #expect(explained.changesAt == Self.now + .seconds(30))
    #expect(
      explained.sentence
        == "motion.activity is 1 min 30 s old, needs 2 min; reached at 14:05:30 if no new value arrives")
  }

  @Test("the explanation of a missing demand names its device")
  func demanded() {
    let asked = Self.node(.demanded("location.gnss"))
    #expect(
      Self.explain(asked, [:])
        == Explanation(truth: .no, sentence: "there is no demand on location.gnss"))
  }

  @Test("X11: `not`, `and`, `or` and `implies` match Kleene's tables for all nine pairs")
  func tables() {
    let or: [[Truth]] = [[.no, .unknown, .yes], [.unknown, .unknown, .yes], [.yes, .yes, .yes]]
    let and: [[Truth]] = [[.no, .no, .no], [.no, .unknown, .unknown], [.no, .unknown, .yes]]
    let implies: [[Truth]] = [[.yes, .yes, .yes], [.unknown, .unknown, .yes], [.no, .unknown, .yes]]
    let screens: [FactValue?] = [.boolean(false), nil, .boolean(true)]
    let levels: [FactValue?] = [.number(0.9), nil, .number(0.1)]
    for (row, screen) in screens.enumerated() {
      for (column, level) in levels.enumerated() {
        var facts: [String: FactValue] = [:]
        facts["screen.on"] = screen
        facts["battery.level"] = level
        func truth(_ kind: CheckedExpression.Kind) -> Truth { Self.explain(Self.node(kind), facts).truth }
        #expect(truth(.or([Self.screen, Self.low])) == or[row][column])
        #expect(truth(.and([Self.screen, Self.low])) == and[row][column])
        #expect(truth(.implies(Self.screen, Self.low)) == implies[row][column])
        #expect(truth(.not(Self.screen)) == [.yes, .unknown, .no][row])
      }
    }
  }

  @Test("X11: `and` on truth values matches Kleene's table, and a double negation changes nothing")
  func kleene() {
    let values: [Truth] = [.no, .unknown, .yes]
    let and: [[Truth]] = [[.no, .no, .no], [.no, .unknown, .unknown], [.no, .unknown, .yes]]
    for (row, left) in values.enumerated() {
      for (column, right) in values.enumerated() {
        #expect(left.and(right) == and[row][column])
        #expect(left.and(right) == right.and(left))
      }
      #expect(left.negated.negated == left)
    }
  }
}
