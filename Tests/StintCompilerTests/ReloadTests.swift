import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("Reloading")
struct ReloadTests {
  /// Returns the rule VM after a reload with these rules. `kept` and `dropped` are the keys of the state
  /// slots that the reload kept and dropped. As in the governor, facts keep their instants and state is
  /// migrated.
  private func reloaded(
    _ probe: RuleVMBench, _ rules: [CheckedRule], facts: [(String, FactValue, Instant)]
  ) throws -> (probe: RuleVMBench, kept: [SlotKey], dropped: [SlotKey]) {
    var fresh = try RuleVMBench(rules, vocabulary: probe.vocabulary, at: probe.now)
    for (path, value, instant) in facts {
      fresh.machine.set(fact: probe.vocabulary.fact(path) ?? -1, value, at: instant)
    }
    let match = ImageMatch(from: probe.machine.image, to: fresh.machine.image)
    fresh.machine.migrateState(probe.machine, match)
    let old = probe.machine.image.slots
    let kept = match.slots.filter { $0 >= 0 }
    return (fresh, kept.map { old[$0].key }, old.indices.filter { !kept.contains($0) }.map { old[$0].key })
  }

  @Test("across a reload, a “for” continues, even with another duration; with another condition it restarts")
  func keepsWhatDidNotChange() throws {
    let waits = flag("a").held(.seconds(10))
    var probe = try RuleVMBench([
      rule("same", .whilst(waits), [stop(rule: "same")]), rule("other", .whilst(waits)),
      rule("third", .whilst(waits)),
    ])
    probe.set("a", true)
    probe.settle()
    probe.go(to: 6)
    probe.settle()
    let changed = rule("other", .whilst(flag("a").held(.seconds(11))))
    let third = rule("third", .whilst(flag("b").held(.seconds(10))))
    let same = rule("same", .whilst(waits), [stop(rule: "same")])
    var (fresh, kept, dropped) = try reloaded(
      probe, [changed, same, third], facts: [("a", .boolean(true), .epoch), ("b", .boolean(true), .epoch)])
    #expect(kept.map(\.rule.rule) == ["other", "same"])
    #expect(dropped.map(\.rule.rule) == ["third"])
    #expect(fresh.run(to: 30).map(\.at) == [10, 10, 11, 16])
  }

  @Test("a reload of an unchanged policy at any instant changes no decision", arguments: Trials(1_500).rounds)
  func changesNothing(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed) &+ 99)
    var expressions = RandomExpressions(generator: SplitMix(seed: UInt64(seed) &+ 1 << 41))
    let ending = CheckedEnding(duration: .seconds(2), doublingTo: .seconds(7), atMost: 5)
    let rules = [
      rule(
        "r0", .whilst(expressions.condition(depth: 3)),
        [stop(until: expressions.condition(depth: 1), rule: "r0")]),
      rule(
        "r1", .when(expressions.condition(depth: 2), atMost: .seconds(2)), [stop(ending: ending, rule: "r1")]),
      rule(
        "r2", .every(.seconds(7), flex: nil, condition: expressions.condition(depth: 1)),
        acts: [.emit("tick")]),
    ]
    let schedules = ["one", "two"].map {
      CheckedSchedule(name: $0, windows: [.init(days: [], from: .seconds(4), to: .seconds(19))])
    }
    let story = Story(using: &generator)
    let vocabulary = RuleVMBench.vocabulary(maxAge: .seconds(4))
    var steady = try RuleVMBench(rules, schedules: schedules, vocabulary: vocabulary)
    var restless = steady
    var facts: [String: (FactValue, Instant)] = [:]
    var isDemanded = false
    for second in story.events.indices {
      let steadyLog = steady.run(to: Double(second) - 0.5)
      let restlessLog = restless.run(to: Double(second) - 0.5)
      #expect(steadyLog.map(\.1) == restlessLog.map(\.1), "seed \(seed), before \(second) s")
      steady.go(to: Double(second))
      restless.go(to: Double(second))
      for event in story.events[second] {
        steady.tell(event)
        restless.tell(event)
        switch event {
        case .fact(let path, let value): facts[path] = (value, steady.now)
        case .demanded(let value): isDemanded = value
        }
      }
      #expect(steady.settle() == restless.settle(), "seed \(seed), at \(second) s")
      guard generator.once(in: 3) else { continue }
      var fresh = try RuleVMBench(rules, schedules: schedules, vocabulary: vocabulary, at: restless.now)
      for (path, (value, instant)) in facts.sorted(by: { $0.key < $1.key }) {
        fresh.machine.set(fact: vocabulary.fact(path) ?? -1, value, at: instant)
      }
      fresh.machine.setDemanded("gps", isDemanded)
      let match = ImageMatch(from: restless.machine.image, to: fresh.machine.image)
      fresh.machine.migrateState(restless.machine, match)
      #expect(!match.slots.contains(-1))
      #expect(fresh.settle() == [], "seed \(seed), reloaded at \(second) s")
      #expect(fresh.machine.nextTimer == restless.machine.nextTimer, "seed \(seed), reloaded at \(second) s")
      restless = fresh
    }
  }

  @Test("across a reload, a directive in force keeps its end and the number of its activations")
  func keepsRuns() throws {
    let ending = CheckedEnding(duration: .seconds(5), doublingTo: .seconds(40))
    let giveup = rule(.when(flag("a"), atMost: nil), [stop(ending: ending)])
    var probe = try RuleVMBench([giveup])
    probe.set("a", true)
    probe.settle()
    probe.go(to: 2)
    var (fresh, _, _) = try reloaded(probe, [giveup], facts: [("a", .boolean(true), .epoch)])
    #expect(fresh.settle() == [])
    #expect(fresh.machine.isInForce(directive: 0))
    #expect(fresh.run(to: 6).map(\.at) == [5, 5])
    fresh.set("a", false)
    fresh.settle()
    fresh.set("a", true)
    fresh.settle()
    #expect(fresh.machine.end(of: 0) == .epoch + .seconds(16))
  }

  @Test("across a reload, a directive with another “until” does not keep its state")
  func tellsDirectivesApart() throws {
    let ending = CheckedEnding(duration: .seconds(50))
    var probe = try RuleVMBench([
      rule(.when(flag("a"), atMost: nil), [stop(until: flag("b"), ending: ending)])
    ])
    probe.set("a", true)
    probe.settle()
    let (fresh, _, _) = try reloaded(
      probe, [rule(.when(flag("a"), atMost: nil), [stop(until: flag("c"), ending: ending)])],
      facts: [("a", .boolean(true), .epoch)])
    #expect(!fresh.machine.isInForce(directive: 0))
  }

  @Test("across a reload, values of facts keep their age")
  func keepsAges() throws {
    let rules = [rule(.whilst(truth(.known("stale"))), [stop()])]
    var probe = try RuleVMBench(rules, vocabulary: RuleVMBench.vocabulary(maxAge: .seconds(10)))
    probe.set("stale", 1)
    probe.settle()
    probe.go(to: 9)
    var (fresh, _, _) = try reloaded(probe, rules, facts: [("stale", .number(1), .epoch)])
    #expect(fresh.settle() == [])
    #expect(fresh.machine.nextTimer == .epoch + .seconds(10) + TimeSpan(nanoseconds: 1))
    probe.go(to: 11)
    (fresh, _, _) = try reloaded(probe, rules, facts: [("stale", .number(1), .epoch)])
    fresh.settle()
    #expect(!fresh.machine.isInForce(directive: 0))
  }

  @Test("across a reload, two equal expressions of one rule each keep their state slot")
  func tellsOccurrencesApart() throws {
    let waits = flag("a").held(.seconds(10))
    let probe = try RuleVMBench([rule(.whilst(any(waits, all(flag("b"), waits))))])
    let (_, kept, dropped) = try reloaded(
      probe, [rule(.whilst(any(waits, all(flag("b"), waits))))], facts: [])
    #expect(kept.map(\.occurrence) == [0, 1])
    #expect(dropped.isEmpty)
  }
}
