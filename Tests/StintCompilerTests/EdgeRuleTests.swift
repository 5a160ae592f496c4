import StintLanguage
import StintMachine
import StintModel
import StintUnits
import Testing

@Suite("Rules with `when` and `every`")
struct EdgeRuleTests {
  @Test("L15: five attempts of two minutes begin at 0, 7, 19, 41 and 83 minutes")
  func givesUpAndTriesAgain() throws {
    let ending = CheckedEnding(duration: .minutes(5), doublingTo: .hours(1))
    var probe = try RuleVMBench([
      rule(
        "giveup", .when(all(flag("on"), flag("poor")).held(.minutes(2)), atMost: nil), [stop(ending: ending)])
    ])
    probe.set("poor", true)
    probe.set("on", true)
    var attempts = [0.0]
    var stops: [Double] = []
    while probe.now.seconds < 120 * 60 {
      for change in probe.settle() {
        switch change {
        case .began:
          stops.append(probe.now.seconds / 60)
          probe.set("on", false)
        case .ended:
          attempts.append(probe.now.seconds / 60)
          probe.set("on", true)
        default: break
        }
      }
      probe.settle()
      guard let timer = probe.machine.nextTimer else { break }
      probe.now = timer
    }
    #expect(stops == [2, 9, 21, 43, 85])
    #expect(attempts == [0, 7, 19, 41, 83])
  }

  private static let minute = CheckedEnding(duration: .minutes(1))

  @Test("a condition that is true at loading counts as an edge, like each later change to true")
  func actsOnRises() throws {
    var probe = try RuleVMBench([rule(.when(flag("a"), atMost: nil), acts: [.emit("rose")])])
    probe.set("a", true)
    #expect(probe.settle() == [.fired(act: .emit("rose"), rule: 0)])
    for (value, acts) in [
      (FactValue.boolean(true), 0), (.boolean(false), 0), (.boolean(true), 1), (.unknown, 0),
    ] {
      probe.set("a", value)
      #expect(probe.settle().count == acts)
    }
    probe.set("a", true)
    #expect(probe.settle().count == 1, "a change from unknown to true is a rise")
  }

  @Test(
    "for one span after an action, “at most” ignores changes to true; at the end of the span, a rule can act")
  func actsAtMost() throws {
    var probe = try RuleVMBench([rule(.when(flag("a"), atMost: .seconds(10)), acts: [.emit("rose")])])
    var acted: [Double] = []
    for second in [0.0, 4, 9, 10, 15, 21] {
      probe.go(to: second)
      probe.set("a", false)
      probe.settle()
      probe.set("a", true)
      if !probe.settle().isEmpty { acted.append(second) }
    }
    #expect(acted == [0, 10, 21])
  }

  @Test("a directive in force keeps its end when its rule acts again")
  func goesOn() throws {
    var probe = try RuleVMBench([rule(.when(flag("a"), atMost: nil), [stop(ending: Self.minute)])])
    probe.set("a", true)
    probe.settle()
    probe.go(to: 30)
    probe.set("a", false)
    probe.settle()
    probe.set("a", true)
    #expect(probe.settle() == [])
    #expect(probe.machine.end(of: 0) == .epoch + .minutes(1))
  }

  @Test(
    "a directive of a `when` rule does not return after `until` ended it, nor begin while `until` is true")
  func endsEarly() throws {
    var probe = try RuleVMBench([
      rule(.when(flag("a"), atMost: nil), [stop(until: flag("b"), ending: Self.minute)])
    ])
    probe.set("a", true)
    probe.settle()
    #expect(probe.machine.isInForce(directive: 0))
    probe.set("b", true)
    probe.settle()
    #expect(!probe.machine.isInForce(directive: 0))
    probe.set("b", false)
    probe.settle()
    #expect(!probe.machine.isInForce(directive: 0))
    probe.set("a", false)
    probe.set("b", true)
    probe.settle()
    probe.set("a", true)
    #expect(probe.settle() == [])
    #expect(!probe.machine.isInForce(directive: 0))
  }

  @Test("a directive that “until” prevented is not counted as a run, and does not double the next duration")
  func countsOnlyWhatBegan() throws {
    let ending = CheckedEnding(duration: .seconds(5), doublingTo: .seconds(30))
    var probe = try RuleVMBench([
      rule(.when(flag("a"), atMost: nil), [stop(until: flag("b"), ending: ending)])
    ])
    probe.set("b", true)
    #expect(spell(&probe) == nil)
    probe.set("b", false)
    #expect(spell(&probe) == 5)
  }

  @Test("a periodic rule acts at each multiple of its period after loading, if its condition is true then")
  func actsPeriodically() throws {
    var probe = try RuleVMBench([
      rule(.every(.seconds(10), flex: nil, condition: flag("a")), acts: [.emit("tick")])
    ])
    probe.set("a", true)
    #expect(probe.run(to: 35).map(\.at) == [10, 20, 30])
    probe.set("a", false)
    #expect(probe.run(to: 55).isEmpty)
    probe.set("a", true)
    #expect(probe.run(to: 70).map(\.at) == [60, 70])
  }

  @Test("a periodic rule acts at the first step after its period, at the latest at the end of “flex”")
  func actsFlexibly() throws {
    var probe = try RuleVMBench([
      rule(.every(.seconds(10), flex: .seconds(4), condition: flag("a")), acts: [.emit("tick")])
    ])
    probe.set("a", true)
    #expect(probe.run(to: 9).isEmpty)
    // No other step occurs, so the rule acts at the end of “flex”. This does not postpone the next period.
    #expect(probe.machine.nextTimer?.seconds == 14)
    #expect(probe.run(to: 19).map(\.at) == [14])
    // A step with an unrelated fact within “flex” makes the rule act.
    probe.set("b", true)
    #expect(probe.run(to: 21).map(\.at) == [21])
    #expect(probe.run(to: 29).isEmpty)
    #expect(probe.machine.nextTimer?.seconds == 34)
    // In the step at which the rule would act, its condition is false. So the rule skips this period.
    probe.set("a", false)
    #expect(probe.run(to: 31).isEmpty)
    probe.set("a", true)
    #expect(probe.run(to: 39).isEmpty)
    // In a step that runs after the end of “flex”, the rule acts once. The periods continue as before.
    probe.go(to: 64.5)
    #expect(probe.settle().count == 1)
    #expect(probe.machine.nextTimer?.seconds == 74)
  }

  /// Makes the rule act once at the current instant, and runs to the end of its directive. Returns the time
  /// for which the directive is in force, in seconds; nil when the directive does not begin.
  private func spell(_ probe: inout RuleVMBench) -> Double? {
    probe.set("a", false)
    probe.settle()
    probe.set("a", true)
    probe.settle()
    guard let end = probe.machine.end(of: 0) else { return nil }
    let length = (end - probe.now).seconds
    probe.now = end
    probe.settle()
    return length
  }

  @Test("durations double up to “doubling to”; after a pause of twice this value, doubling starts again")
  func doubles() throws {
    let ending = CheckedEnding(duration: .seconds(5), doublingTo: .seconds(30))
    var probe = try RuleVMBench([rule(.when(flag("a"), atMost: nil), [stop(ending: ending)])])
    #expect((0..<5).map { _ in spell(&probe) } == [5, 10, 20, 30, 30])
    probe.now = probe.now + .seconds(60) - TimeSpan(nanoseconds: 1)
    #expect(spell(&probe) == 30)
    probe.now = probe.now + .seconds(60)
    #expect(spell(&probe) == 5)
  }

  @Test(
    "the doubling of durations starts again when the target device succeeds, but not when another device does"
  )
  func succeeds() throws {
    let ending = CheckedEnding(duration: .seconds(5), doublingTo: .seconds(30))
    var probe = try RuleVMBench([rule(.when(flag("a"), atMost: nil), [stop(ending: ending)])])
    #expect((0..<3).map { _ in spell(&probe) } == [5, 10, 20])
    probe.machine.succeeded(device: "modem")
    #expect(spell(&probe) == 30)
    probe.machine.succeeded(device: "gps")
    #expect((0..<2).map { _ in spell(&probe) } == [5, 10])
  }

  @Test("“at most 2 times” allows two runs until the count restarts")
  func runsAtMost() throws {
    let ending = CheckedEnding(duration: .seconds(5), atMost: 2)
    var probe = try RuleVMBench([rule(.when(flag("a"), atMost: nil), [stop(ending: ending)])])
    #expect((0..<3).map { _ in spell(&probe) } == [5, 5, nil])
    probe.now = probe.now + .seconds(10)
    #expect(spell(&probe) == 5)
  }

  @Test("a duration of 70 years doubles without overflow")
  func enduresLongSpans() throws {
    let forever = CheckedEnding(duration: .hours(24 * 365 * 70), doublingTo: .unlimited)
    var probe = try RuleVMBench([
      rule(.when(flag("a"), atMost: nil), [stop(until: flag("b"), ending: forever)])
    ])
    for _ in 0..<70 {
      probe.set("b", false)
      probe.set("a", true)
      probe.settle()
      #expect(probe.machine.isInForce(directive: 0))
      probe.set("b", true)
      probe.set("a", false)
      probe.settle()
    }
  }
}
