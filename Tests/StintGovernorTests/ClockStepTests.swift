import StintGovernor
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// Tests of the effects of setting the host's wall clock. The sensor of the bench draws 60 mW.
@Suite("Clock steps")
struct ClockStepTests {
  /// 2026-05-16 08:00 UTC.
  private let morning = Instant(nanoseconds: 1_778_918_400_000_000_000)

  private func bench(_ policy: String) throws -> GovernorBench {
    var bench = try GovernorBench(start: morning)
    try bench.load(policy, at: 0)
    _ = bench.raise("app", DemandSettings(accuracy: 50), at: 0)
    return bench
  }

  private func set(_ bench: inout GovernorBench, ahead: TimeSpan, at second: Double) {
    bench.input(.localTime(bench.governor.timeZone.withWallClock(ahead: ahead)), at: second)
  }

  @Test("when the clock is set forward or back, a schedule applies the new local time at once")
  func schedule() throws {
    var bench = try bench(
      """
      policy "p"
      use test.sensor as s
      schedule night = 22:00..06:00
      rule quiet while time in night { batch s until 10 min }
      """)
    #expect(!bench.isActive("quiet"))
    set(&bench, ahead: .minutes(13 * 60 + 50), at: 60)
    #expect(!bench.isActive("quiet"))
    // It is 21:51 now, so 22:00 comes nine minutes later.
    bench.run(to: 60 + 8 * 60)
    #expect(!bench.isActive("quiet"))
    bench.run(to: 60 + 9 * 60)
    #expect(bench.isActive("quiet"))
    set(&bench, ahead: .zero, at: 900)
    #expect(!bench.isActive("quiet"))
    set(&bench, ahead: .hours(15), at: 1000)
    #expect(bench.isActive("quiet"))
  }

  @Test("when the first fix sets the clock of a host, schedules apply the local time at once")
  func firstFix() throws {
    var bench = try GovernorBench(start: .epoch)
    try bench.load(
      """
      policy "p"
      use test.sensor as s
      schedule day = 06:00..22:00
      rule awake while time in day { batch s until 10 min }
      """, at: 0)
    #expect(!bench.isActive("awake"))
    set(&bench, ahead: morning - .epoch, at: 90)
    #expect(bench.isActive("awake"))
    // The clock was set to 08:01:30 after 90 s, so 22:00 comes fourteen hours after the start.
    bench.run(to: 14 * 3600 - 1)
    #expect(bench.isActive("awake"))
    bench.run(to: 14 * 3600)
    #expect(!bench.isActive("awake"))
  }

  @Test("time spans do not change when the clock is set", arguments: [-400, -1, 1, 400] as [Int64])
  func spans(hours: Int64) throws {
    var bench = try bench(
      """
      policy "p"
      use test.sensor as s
      rule held while app.state is background for 10 min { batch s until 10 min }
      rule often every 5 min { flush s }
      """)
    bench.set("app.state", "background", at: 0)
    set(&bench, ahead: .hours(hours), at: 200)
    bench.run(to: 599)
    #expect(!bench.isActive("held"))
    bench.run(to: 600)
    #expect(bench.isActive("held"))
    #expect(bench.governor.now == bench.instant(600))
  }

  @Test("setting the clock restarts a daily budget only when the new local time is on a later day")
  func budget() throws {
    var bench = try bench(
      """
      policy "p"
      budget day = 216 J per day on test.sensor { at 99 % { batch test.sensor until 1 min } }
      rule half while day >= 49 % { batch test.sensor until 10 min }
      """)
    // 60 mW for half an hour are 108 J.
    bench.run(to: 1800)
    #expect(bench.isActive("half"))
    set(&bench, ahead: .hours(3), at: 1800)
    #expect(bench.isActive("half"), "the same day")
    set(&bench, ahead: .hours(-20), at: 1801)
    #expect(bench.isActive("half"), "the day before: the consumed energy counts")
    set(&bench, ahead: .zero, at: 1802)
    #expect(!bench.isActive("half"), "a later day")
    bench.run(to: 3700)
    #expect(bench.isActive("half"))
    // With a clock half an hour ahead, midnight comes 15.5 hours after the start of the run.
    set(&bench, ahead: .minutes(30), at: 3700)
    bench.run(to: 15.5 * 3600 - 1)
    #expect(bench.isActive("half"))
    bench.run(to: 15.5 * 3600 + 1)
    #expect(!bench.isActive("half"))
  }

  @Test("a change of the time zone moves schedules, and does not reset a daily budget on the same day")
  func zone() throws {
    var bench = try bench(
      """
      policy "p"
      use test.sensor as s
      schedule noon = 11:30..12:30
      budget day = 216 J per day on test.sensor { at 99 % { batch test.sensor until 1 min } }
      rule half while day >= 49 % { batch test.sensor until 10 min }
      rule lunch while time in noon { batch s until 10 min }
      """)
    bench.run(to: 1800)
    #expect(bench.isActive("half") && !bench.isActive("lunch"))
    bench.input(.localTime(.fixed(.hours(3))), at: 1860)
    #expect(bench.isActive("half") && bench.isActive("lunch"))
  }

  @Test("`snapshotInputs` of the governor contains the local time only after the clock was set")
  func snapshot() throws {
    var bench = try bench(
      """
      policy "p"
      use test.sensor as s
      schedule night = 22:00..06:00
      rule r while time in night { stop s }
      """)
    #expect(!bench.governor.snapshotInputs.contains { if case .localTime = $0 { true } else { false } })
    set(&bench, ahead: .hours(2), at: 5)
    #expect(bench.governor.snapshotInputs.contains(.localTime(bench.governor.timeZone)))
  }

  @Test("setting the clock to the limits of its range does not trap, and the ledger stays balanced")
  func extremes() throws {
    var bench = try bench(
      """
      policy "p"
      use test.sensor as s
      schedule night = 22:00..06:00
      budget day = 216 J per day on test.sensor { at 99 % { batch test.sensor until 1 min } }
      rule quiet while time in night { batch s until 10 min }
      """)
    for (place, ahead) in [Int64.max, .min, 0, -1, 1].enumerated() {
      set(&bench, ahead: TimeSpan(nanoseconds: ahead), at: Double(place * 100 + 10))
    }
    bench.run(to: 86_400)
    #expect(bench.governor.ledger(at: bench.governor.now).isBalanced)
  }
}
