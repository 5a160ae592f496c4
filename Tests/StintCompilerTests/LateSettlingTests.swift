import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("Steps that run late")
struct LateSettlingTests {
  @Test("a value that was briefly too old restarts a “for”, even when no step ran at that time")
  func remembersGaps() throws {
    let known = truth(.known("stale")).held(.seconds(30))
    var probe = try RuleVMBench(
      [rule(.whilst(known), [stop()])], vocabulary: RuleVMBench.vocabulary(maxAge: .seconds(10)))
    probe.set("stale", 1)
    probe.settle()
    probe.go(to: 20)
    probe.set("stale", 1)
    probe.go(to: 29)
    probe.set("stale", 1)
    probe.go(to: 35)
    probe.settle()
    #expect(!probe.machine.isInForce(directive: 0))
    #expect(probe.machine.since(slot: 0) == .epoch + .seconds(20))
  }

  @Test("a “for” that became true between two steps starts its directive at the instant of this change")
  func beginsInTime() throws {
    let ending = CheckedEnding(duration: .seconds(60))
    var probe = try RuleVMBench([
      rule(.when(flag("a").held(.seconds(10)), atMost: nil), [stop(ending: ending)])
    ])
    probe.set("a", true)
    probe.settle()
    probe.go(to: 50)
    probe.set("a", false)
    #expect(probe.settle().contains(.began(directive: 0)))
    #expect(probe.machine.end(of: 0) == .epoch + .seconds(70))
  }

  @Test("a directive that began and ended between two steps is not reported; an act is reported once")
  func announcesTheNet() throws {
    var probe = try RuleVMBench([
      rule(
        .when(flag("a").held(.seconds(10)), atMost: nil),
        [stop(ending: CheckedEnding(duration: .seconds(5)))],
        acts: [.emit("now")]),
      rule("tick", .every(.seconds(7), flex: nil, condition: nil), acts: [.emit("tick")]),
    ])
    probe.set("a", true)
    probe.settle()
    probe.go(to: 50)
    #expect(probe.settle() == [.fired(act: .emit("now"), rule: 0), .fired(act: .emit("tick"), rule: 1)])
    #expect(probe.machine.nextTimer == .epoch + .seconds(56))
  }

  @Test(
    "late steps that receive the facts of one instant in any order lead to the same state as steps on time",
    arguments: Trials(1_500).rounds)
  func agreesWithTimely(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed) &+ 77)
    var expressions = RandomExpressions(generator: SplitMix(seed: UInt64(seed) &+ 1 << 40))
    let ending = CheckedEnding(duration: .seconds(3), doublingTo: .seconds(9))
    let rules = (0..<3).map { place in
      let condition = expressions.condition(depth: 2)
      return place == 0
        ? rule("r0", .whilst(condition), [stop(rule: "r0")])
        : rule("r\(place)", .when(condition, atMost: .seconds(2)), [stop(ending: ending, rule: "r\(place)")])
    }
    let schedules = ["one", "two"].map { name in
      CheckedSchedule(
        name: name, windows: [CheckedSchedule.Window(days: [], from: .seconds(4), to: .seconds(19))])
    }
    let story = Story(using: &generator)
    let vocabulary = RuleVMBench.vocabulary(maxAge: .seconds(4))
    var timely = try RuleVMBench(rules, schedules: schedules, vocabulary: vocabulary)
    var late = timely
    for second in story.events.indices {
      while let timer = timely.machine.nextTimer, timer < Story.moments[second * Story.ticks] {
        timely.now = timer
        timely.settle()
      }
      timely.go(to: Double(second))
      late.go(to: Double(second))
      for event in story.events[second] { timely.tell(event) }
      for event in story.events[second].shuffled(using: &generator) { late.tell(event) }
      timely.settle()
      // A demand takes effect when the next step runs, not when it is reported, so both VMs must step here.
      let isDemandTold = story.events[second].contains { if case .demanded = $0 { true } else { false } }
      guard isDemandTold || generator.once(in: 4) else { continue }
      late.settle()
      for place in rules.indices {
        #expect(timely.machine.truth(of: place) == late.machine.truth(of: place), "seed \(seed), \(second) s")
        #expect(timely.machine.isInForce(directive: place) == late.machine.isInForce(directive: place))
        #expect(timely.machine.end(of: place) == late.machine.end(of: place))
      }
    }
  }
}
