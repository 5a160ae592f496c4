import StintLanguage
import StintMachine
import StintModel
import StintUnits
import Testing

@Suite("Timers of the rule VM")
struct TimerTests {
  private static let device: DeviceID = "gps"

  @Test("rules without time conditions set no timer")
  func restsWithoutTime() throws {
    var probe = try RuleVMBench([
      rule(.whilst(all(flag("a"), compare(level("x"), .less, number(2)))), [stop()])
    ])
    probe.set("a", true)
    probe.set("x", 1)
    probe.settle()
    #expect(probe.machine.nextTimer == nil)
  }

  @Test("each new value of a fact delays the timer for its maximum age")
  func followsFreshness() throws {
    var probe = try RuleVMBench(
      [rule(.whilst(truth(.known("stale"))), [stop()])],
      vocabulary: RuleVMBench.vocabulary(maxAge: .seconds(10)))
    for second in [0.0, 1, 5] {
      probe.go(to: second)
      probe.set("stale", 1)
      probe.settle()
      #expect(probe.machine.nextTimer == probe.now + .seconds(10) + TimeSpan(nanoseconds: 1))
    }
    probe.go(to: 15)
    probe.settle()
    #expect(probe.machine.isInForce(directive: 0), "a value is still valid at exactly its maximum age")
    probe.now = probe.now + TimeSpan(nanoseconds: 1)
    #expect(
      probe.settle() == [.held(rule: 0, false), .ended(directive: 0)]
        || !probe.machine.isInForce(directive: 0))
    #expect(probe.machine.nextTimer == nil)
  }

  @Test("a fact that only a window reads has no timer for its maximum age")
  func windowsDoNotGrowStale() throws {
    let window = number(.window(.count, fact: "stale", .seconds(60)))
    var probe = try RuleVMBench(
      [rule(.whilst(compare(window, .greater, number(0))), [stop()])],
      vocabulary: RuleVMBench.vocabulary(maxAge: .seconds(10)))
    probe.set("stale", 1)
    probe.settle()
    #expect(probe.machine.nextTimer == .epoch + .seconds(60))
  }

  @Test(
    "an age condition sets one timer: at its span for `<` and `>=`, 1 ns later for `<=` and `>`",
    arguments: [(Comparison.less, Int64(0)), (.greaterOrEqual, 0), (.lessOrEqual, 1), (.greater, 1)])
  func agesOnce(comparison: Comparison, late: Int64) throws {
    var probe = try RuleVMBench([rule(.whilst(truth(.age("x", comparison, .seconds(10)))), [stop()])])
    probe.set("x", 1)
    probe.settle()
    let wasInForce = probe.machine.isInForce(directive: 0)
    let crossing = Instant.epoch + .seconds(10) + TimeSpan(nanoseconds: late)
    #expect(probe.machine.nextTimer == crossing)
    probe.now = crossing
    probe.settle()
    #expect(probe.machine.isInForce(directive: 0) != wasInForce)
    #expect(probe.machine.nextTimer == nil)
  }

  @Test(
    "a schedule sets a timer only for an instant at which its value changes",
    arguments: [[0, 4], [0, 1, 2, 3, 4, 5, 6], []])
  func schedulesChange(days: [Int]) throws {
    // The windows cover whole days: Monday and Friday, every day by name, and every day by default.
    let window = CheckedSchedule.Window(days: days, from: .zero, to: .zero)
    var probe = try RuleVMBench(
      [rule(.whilst(truth(.inSchedule(0))), [stop()])],
      schedules: [CheckedSchedule(name: "s", windows: [window])])
    probe.settle()
    // The epoch is a Thursday.
    #expect(probe.machine.nextTimer == (days.count == 2 ? .epoch + .hours(24) : nil))
    #expect(probe.machine.isInForce(directive: 0) == (days.count != 2))
  }

  @Test("windows of local time include their start and exclude their end", arguments: [0, 2])
  func schedulesAreLocal(offset: Int64) throws {
    let schedule = CheckedSchedule(
      name: "night",
      windows: [CheckedSchedule.Window(days: [3], from: .hours(22), to: .hours(6))])
    var probe = try RuleVMBench(
      [rule(.whilst(truth(.inSchedule(0))), [stop()])], schedules: [schedule],
      timeZone: .fixed(.hours(offset)))
    let changes = probe.run(to: 15 * 24 * 3600).filter { if case .held = $0.1 { false } else { true } }
    let begin = Double((22 - offset) * 3600)
    let end = Double((30 - offset) * 3600)
    let week = 7.0 * 24 * 3600
    #expect(changes.map(\.at) == [begin, end, begin + week, end + week, begin + 2 * week])
  }

  @Test("a periodic rule without its device sets no timer")
  func inertRulesRest() throws {
    var inert = rule(.every(.seconds(5), flex: nil, condition: nil), acts: [.emit("tick")])
    inert.isInert = true
    var probe = try RuleVMBench([inert])
    probe.settle()
    #expect(probe.machine.nextTimer == nil)
  }
}
