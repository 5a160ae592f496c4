import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// Tests that reloads with edits of some rules do not affect the other rules.
@Suite("Edits while timers run")
struct ReloadEditTests {
  /// A rule VM that is reloaded at random times. The log contains only the changes of rules whose names begin
  /// with `a`. Edits may rename or move these rules, but do not change their content.
  private struct ReloadedVM {
    var probe: RuleVMBench
    var facts: [String: (FactValue, Instant)] = [:]
    var isDemanded = false
    var log: [String] = []

    mutating func note(_ changes: [RuleVMChange]) {
      let image = probe.machine.image
      for change in changes {
        let rule: Int
        let what: String
        switch change {
        case .began(let directive): (rule, what) = (image.directives[directive].rule, "began")
        case .ended(let directive): (rule, what) = (image.directives[directive].rule, "ended")
        case .held(let number, let holds): (rule, what) = (number, "\(holds)")
        case .fired(let act, let number): (rule, what) = (number, "\(act)")
        }
        let name = image.rules[rule].id.rule
        if name.hasPrefix("a") { log.append("\(probe.now.nanoseconds) \(name.prefix(2)) \(what)") }
      }
    }

    mutating func run(to second: Double) {
      while let timer = probe.machine.nextTimer, timer <= .epoch + (TimeSpan(seconds: second) ?? .zero) {
        probe.now = timer
        note(probe.settle())
      }
      probe.go(to: second)
    }

    mutating func reload(_ rules: [CheckedRule], _ schedules: [CheckedSchedule]) throws {
      var fresh = try RuleVMBench(rules, schedules: schedules, vocabulary: probe.vocabulary, at: probe.now)
      for (path, (value, instant)) in facts.sorted(by: { $0.key < $1.key }) {
        fresh.machine.set(fact: probe.vocabulary.fact(path) ?? -1, value, at: instant)
      }
      fresh.machine.setDemanded("gps", isDemanded)
      fresh.machine.migrateState(
        probe.machine, ImageMatch(from: probe.machine.image, to: fresh.machine.image))
      probe = fresh
      note(probe.settle())
    }
  }

  /// Returns a `while`, a `when` and an `every` rule, with names that begin with `a`.
  private func kept(_ expressions: inout RandomExpressions) -> [CheckedRule] {
    let ending = CheckedEnding(duration: .seconds(2), doublingTo: .seconds(7), atMost: 5)
    return [
      rule(
        "a0", .whilst(expressions.condition(depth: 3)),
        [stop(until: expressions.condition(depth: 1), rule: "a0")]),
      rule(
        "a1", .when(expressions.condition(depth: 2), atMost: .seconds(2)), [stop(ending: ending, rule: "a1")]),
      rule(
        "a2", .every(.seconds(7), flex: nil, condition: expressions.condition(depth: 1)),
        acts: [.emit("tick")]),
    ]
  }

  private func renamed(_ rule: CheckedRule, _ name: String) -> CheckedRule {
    var rule = rule
    rule.id = RuleID(policy: rule.id.policy, rule: name)
    for number in rule.directives.indices { rule.directives[number].directive.rule = rule.id }
    return rule
  }

  @Test(
    "F7: edits of other rules, reordering and renaming do not change when a rule is active or acts",
    arguments: Trials(3_000).rounds)
  func editsElsewhere(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed) &+ 7_000)
    var expressions = RandomExpressions(generator: SplitMix(seed: UInt64(seed) &+ 1 << 40))
    let rules = kept(&expressions)
    let schedules = ["one", "two"].map {
      CheckedSchedule(name: $0, windows: [.init(days: [], from: .seconds(4), to: .seconds(19))])
    }
    let vocabulary = RuleVMBench.vocabulary(maxAge: .seconds(4))
    let story = Story(using: &generator)
    var steady = ReloadedVM(probe: try RuleVMBench(rules, schedules: schedules, vocabulary: vocabulary))
    var reloaded = steady
    for second in story.events.indices {
      for event in story.events[second] {
        guard case .fact(let path, let value) = event else { continue }
        reloaded.facts[path] = (value, .epoch + .seconds(Int64(second)))
      }
      steady.run(to: Double(second) - 0.5)
      reloaded.run(to: Double(second) - 0.5)
      steady.probe.go(to: Double(second))
      reloaded.probe.go(to: Double(second))
      for event in story.events[second] {
        steady.probe.tell(event)
        reloaded.probe.tell(event)
        if case .demanded(let value) = event { reloaded.isDemanded = value }
      }
      steady.note(steady.probe.settle())
      reloaded.note(reloaded.probe.settle())
      guard generator.once(in: 3) else { continue }
      var edited = rules
      if generator.once(in: 2) {
        edited = edited.map { renamed($0, "\($0.id.rule)-\(second)") }
      }
      for number in 0..<Int.random(in: 0...3, using: &generator) {
        let other = rule("b\(number)", .whilst(expressions.condition(depth: 2)), [stop(rule: "b\(number)")])
        edited.insert(other, at: Int.random(in: 0...edited.count, using: &generator))
      }
      edited.shuffle(using: &generator)
      try reloaded.reload(edited, schedules)
    }
    #expect(Set(steady.log) == Set(reloaded.log), "seed \(seed)")
    #expect(steady.log.count == reloaded.log.count, "seed \(seed)")
  }

  @Test("an expression whose parts are reordered without a change of meaning keeps its state")
  func places() throws {
    let early = CheckedSchedule(name: "early", windows: [.init(days: [], from: .zero, to: .seconds(30))])
    let late = CheckedSchedule(name: "late", windows: [.init(days: [], from: .hours(1), to: .hours(2))])
    func inSchedule(_ number: Int) -> CheckedExpression { truth(.inSchedule(number)) }
    let cases: [(CheckedExpression, CheckedExpression, [CheckedSchedule])] = [
      (all(flag("a"), flag("b")), all(flag("b"), flag("a")), [early]),
      (any(flag("a"), flag("b")), any(flag("b"), flag("a")), [early]),
      (all(flag("a"), inSchedule(0)), all(flag("a"), inSchedule(1)), [late, early]),
    ]
    for (before, after, schedules) in cases {
      var probe = try RuleVMBench([rule("r", .whilst(before.held(.seconds(10))))], schedules: [early])
      for flag in ["a", "b"] { probe.set(flag, true) }
      probe.settle()
      probe.go(to: 6)
      var fresh = try RuleVMBench(
        [rule("r", .whilst(after.held(.seconds(10))))], schedules: schedules, vocabulary: probe.vocabulary,
        at: probe.now)
      for flag in ["a", "b"] {
        fresh.machine.set(fact: probe.vocabulary.fact(flag) ?? -1, .boolean(true), at: .epoch)
      }
      fresh.machine.migrateState(
        probe.machine, ImageMatch(from: probe.machine.image, to: fresh.machine.image))
      #expect(fresh.run(to: 20).map(\.at) == [10])
    }
  }

  @Test("an expression that reads a changed schedule does not keep its state")
  func otherSchedule() throws {
    let early = CheckedSchedule(name: "s", windows: [.init(days: [], from: .zero, to: .seconds(30))])
    let late = CheckedSchedule(name: "s", windows: [.init(days: [], from: .zero, to: .seconds(40))])
    let waits = rule("r", .whilst(truth(.inSchedule(0)).held(.seconds(10))))
    let old = try RuleVMBench([waits], schedules: [early])
    let new = try RuleVMBench([waits], schedules: [late])
    #expect(ImageMatch(from: old.machine.image, to: new.machine.image).slots == [-1])
  }

  @Test("two rules that exchange their conditions keep the state of each condition")
  func swapped() throws {
    let short = flag("a").held(.seconds(10))
    let long = flag("a").held(.seconds(20))
    let old = try RuleVMBench([rule("r", .whilst(short)), rule("s", .whilst(long))])
    let new = try RuleVMBench([rule("r", .whilst(long)), rule("s", .whilst(short))])
    let match = ImageMatch(from: old.machine.image, to: new.machine.image)
    #expect(match.rules == [1, 0])
    #expect(match.slots == [1, 0])
  }
}
