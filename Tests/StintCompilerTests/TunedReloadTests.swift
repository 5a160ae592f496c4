import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// Tests of reloads that change only numbers in the policies.
@Suite("Tuning while timers run")
struct TunedReloadTests {
  /// Returns a rule VM with `rules` and the migrated state of `probe`. The fact `a` has the value `isTrue`
  /// since the epoch.
  private func tuned(_ probe: RuleVMBench, to rules: [CheckedRule], _ isTrue: Bool = true) throws
    -> RuleVMBench
  {
    var fresh = try RuleVMBench(rules, vocabulary: probe.vocabulary, at: probe.now)
    fresh.machine.set(fact: probe.vocabulary.fact("a") ?? -1, .boolean(isTrue), at: .epoch)
    fresh.machine.migrateState(probe.machine, ImageMatch(from: probe.machine.image, to: fresh.machine.image))
    return fresh
  }

  private func edge(_ span: TimeSpan, atMost: TimeSpan? = nil) -> CheckedRule {
    rule("r", .when(flag("a").held(span), atMost: atMost), acts: [.emit("x")])
  }

  private func began(_ rules: [CheckedRule], runTo second: Double) throws -> RuleVMBench {
    var probe = try RuleVMBench(rules)
    probe.set("a", true)
    probe.settle()
    _ = probe.run(to: second)
    probe.go(to: second)
    return probe
  }

  @Test(
    "a reload that changes the time of a “for” does not make a `when` rule act",
    arguments: [(12.0, 5), (12, 11), (7, 5), (12, 12)])
  func actsNotForANumber(at second: Double, span: Int64) throws {
    let probe = try began([edge(.seconds(10))], runTo: second)
    var fresh = try tuned(probe, to: [edge(.seconds(span))])
    #expect(fresh.settle() == [])
    #expect(fresh.run(to: 100).isEmpty)
    fresh.set("a", false)
    fresh.settle()
    fresh.set("a", true)
    fresh.settle()
    #expect(fresh.run(to: 200).map(\.at) == [100 + Double(span)])
  }

  @Test("a longer “for” counts from the instant at which its operand became true")
  func longer() throws {
    let probe = try began([edge(.seconds(10))], runTo: 7)
    var fresh = try tuned(probe, to: [edge(.seconds(30))])
    #expect(fresh.settle() == [])
    #expect(fresh.run(to: 100).map(\.at) == [30])
  }

  @Test(
    "an “in last” keeps the instant at which its operand was true, and applies its new time span",
    arguments: [(8, 13.0), (20, 25)])
  func lately(span: Int64, end: Double) throws {
    func rules(_ span: Int64) -> [CheckedRule] {
      [rule(.whilst(flag("a").inLast(.seconds(span))), [stop()])]
    }
    var probe = try began(rules(10), runTo: 5)
    probe.set("a", false)
    probe.settle()
    var fresh = try tuned(probe, to: rules(span), false)
    #expect(fresh.settle() == [])
    #expect(Set(fresh.run(to: 100).map(\.at)) == [end])
  }

  @Test("“at most” counts from the last action, even after its limit changed")
  func atMost() throws {
    let probe = try began([edge(.seconds(1), atMost: .seconds(50))], runTo: 7)
    var fresh = try tuned(probe, to: [edge(.seconds(1), atMost: .seconds(20))])
    fresh.settle()
    for second in [8.0, 30] {
      fresh.go(to: second)
      fresh.set("a", false)
      fresh.settle()
      fresh.set("a", true)
      fresh.settle()
      #expect(fresh.run(to: second + 5).count == (second == 8 ? 0 : 1))
    }
  }

  @Test(
    "a directive in force lasts for the new duration; if this time has passed, the directive ends at once",
    arguments: [(8, 8.0), (1, 2)])
  func run(span: Int64, end: Double) throws {
    func pause(_ span: Int64) -> [CheckedRule] {
      [rule(.when(flag("a"), atMost: nil), [stop(ending: CheckedEnding(duration: .seconds(span)))])]
    }
    let probe = try began(pause(5), runTo: 2)
    var fresh = try tuned(probe, to: pause(span))
    let changes = fresh.settle().isEmpty ? fresh.run(to: 100).map(\.at) : [2]
    #expect(Set(changes) == [end])
  }

  @Test(
    "a longer period counts from the beginning of the present one; a shorter one acts no later than before",
    arguments: [(8.0, 10, 17.0), (13, 3, 14), (8, 3, 10), (8, 7, 14)])
  func period(at second: Double, span: Int64, next: Double) throws {
    func tick(_ span: Int64) -> [CheckedRule] {
      [rule("t", .every(.seconds(span), flex: nil, condition: flag("a")), acts: [.emit("x")])]
    }
    let probe = try began(tick(7), runTo: second)
    var fresh = try tuned(probe, to: tick(span))
    #expect(fresh.settle() == [])
    #expect(fresh.machine.nextTimer == .epoch + (TimeSpan(seconds: next) ?? .zero))
  }

  @Test("a restart with changed numbers has the same effect as a reload with these numbers")
  func restart() throws {
    let probe = try began([edge(.seconds(10))], runTo: 7)
    for (span, ends) in [(30, [30.0]), (5, [])] as [(Int64, [Double])] {
      var fresh = try RuleVMBench([edge(.seconds(span))], vocabulary: probe.vocabulary, at: probe.now)
      fresh.machine.set(fact: probe.vocabulary.fact("a") ?? -1, .boolean(true), at: .epoch)
      fresh.machine.restore(probe.machine.memory)
      #expect(fresh.settle() == [])
      #expect(fresh.run(to: 100).map(\.at) == ends)
    }
  }

  @Test("two expressions of a rule that differ only in numbers each keep their own state")
  func inOrder() throws {
    func both(_ first: Int64, _ second: Int64) -> [CheckedRule] {
      [
        rule(
          "r", .whilst(flag("a").held(.seconds(first))),
          [stop(until: flag("a").held(.seconds(second)), rule: "r")])
      ]
    }
    let old = try RuleVMBench(both(10, 20))
    let new = try RuleVMBench(both(11, 21))
    #expect(ImageMatch(from: old.machine.image, to: new.machine.image).slots == [0, 1])
  }
}
