import StintGovernor
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

/// Budgets and schedules on days with a clock change. The sensor of the bench draws 60 mW, or 5184 J in 24 h.
@Suite("Days with a clock change")
struct LocalDayTests {
  /// The local start time of a budget's days, and the starts of some days near a clock change.
  struct Days: Sendable, CustomTestStringConvertible {
    var year: TimeZoneYear
    /// The index of the clock change in the year.
    var change: Int
    /// The local time at which each day starts.
    var from: String
    /// The starts of days, in minutes after the clock change; negative before the change.
    var begins: [Double]

    var testDescription: String { "\(year.rule), change \(change), from \(from)" }
  }

  static let days: [Days] = [
    // Berlin: the day of change 0, in spring, has 23 h. The clock skips 02:30, so a day from 02:30 begins at
    // 03:00. The day of change 1, in autumn, has 25 h. 02:30 occurs twice, so a day from 02:30 begins at the
    // first 02:30.
    Days(year: .berlin, change: 0, from: "04:00", begins: [-1320, 60, 1500]),
    Days(year: .berlin, change: 0, from: "02:30", begins: [-1410, 0, 1410]),
    Days(year: .berlin, change: 0, from: "00:00", begins: [-120, 1260, 2700]),
    Days(year: .berlin, change: 1, from: "04:00", begins: [-1380, 120, 1560]),
    Days(year: .berlin, change: 1, from: "02:30", begins: [-1470, -30, 1470]),
    Days(year: .newYork, change: 1, from: "00:00", begins: [-1560, -120, 1380]),
    // Lord Howe: the clock changes by half an hour, and change 0 is the end of summer time.
    Days(year: .lordHowe, change: 0, from: "04:00", begins: [-1320, 150, 1590]),
    Days(year: .lordHowe, change: 0, from: "01:45", begins: [-1455, -15, 1455]),
    Days(year: .lordHowe, change: 1, from: "02:15", begins: [-1425, 0, 1425]),
    // Santiago: change 0 repeats the hour before midnight, and change 1 skips midnight.
    Days(year: .santiago, change: 0, from: "00:00", begins: [-1440, 60, 1500]),
    Days(year: .santiago, change: 1, from: "00:00", begins: [-1440, 0, 1380]),
  ]

  @Test("X10: a daily budget restarts once a day, at its local start time", arguments: days)
  func budgets(days: Days) throws {
    let change = days.year.changes[days.change].instant
    let first = try #require(days.begins.first)
    var bench = try GovernorBench(
      timeZone: try TimeZoneRules(days.year.rule), start: change + .minutes(Int64(first)) - .hours(2))
    try bench.load(
      """
      policy "p"
      budget day = 5184 J per day from \(days.from) on test.sensor { at 99.9 % { batch test.sensor until 1 min } }
      rule third while day >= 33 % { batch test.sensor until 10 min }
      """, at: 0)
    _ = bench.raise("app", DemandSettings(accuracy: 50), at: 0)
    let third = 0.33 * 24 * 3600
    for begin in days.begins {
      let second = 7200 + (begin - first) * 60
      if begin > first {
        bench.run(to: second - 1)
        #expect(bench.isActive("third"), "before \(begin)")
      }
      // At constant power, 33 % of the budget is used when 33 % of 24 h have passed since the day began.
      for (after, isUsed) in [(0, false), (third - 1, false), (third + 1, true)] {
        bench.run(to: second + after)
        #expect(bench.isActive("third") == isUsed, "\(after) s after \(begin)")
      }
    }
  }

  @Test(
    "X10: a rule with a schedule is active at most once a night, until the local end of the schedule",
    arguments: [
      (TimeZoneYear.berlin, 0, "02:00..04:00", [0, 60]), (.berlin, 0, "22:00..06:00", [-240, 180]),
      (.berlin, 0, "02:15..02:45", []), (.berlin, 1, "02:00..04:00", [-60, 120]),
      (.berlin, 1, "02:30..04:00", [-30, 120]), (.berlin, 1, "02:15..02:45", [-45, 45]),
      (.berlin, 1, "22:00..02:30", [-300, 30]), (.lordHowe, 0, "01:45..04:00", [-15, 150]),
      (.lordHowe, 1, "02:10..04:00", [0, 90]), (.kolkata, -1, "02:00..04:00", [60, 180]),
    ] as [(TimeZoneYear, Int, String, [Double])])
  func schedules(year: TimeZoneYear, change: Int, window: String, edges: [Double]) throws {
    // A zone without clock changes has index -1 and uses 01:00 of a day in March instead.
    let instant = change < 0 ? TimeZoneYear.start + .minutes(80 * 1440 - 270) : year.changes[change].instant
    let start = instant - .hours(8)
    var bench = try GovernorBench(timeZone: try TimeZoneRules(year.rule), start: start)
    try bench.load(
      """
      policy "p"
      schedule night = \(window)
      rule quiet while time in night { pause test.sensor }
      """, at: 0)
    var found: [Double] = []
    for minute in stride(from: 0, to: 16 * 60, by: 5.0) {
      let before = bench.isActive("quiet")
      bench.run(to: minute * 60)
      if bench.isActive("quiet") != before { found.append(minute - 480) }
    }
    #expect(found == edges)
  }

  @Test("energy is counted from the start of the local day, even when the clock skips midnight")
  func energy() throws {
    let leap = TimeZoneYear.santiago.changes[1].instant
    var bench = try GovernorBench(
      timeZone: try TimeZoneRules(TimeZoneYear.santiago.rule), start: leap - .minutes(2))
    try bench.load(
      "policy \"p\"\nrule much while energy(test.sensor) >= 3 J { batch test.sensor until 5 min }", at: 0)
    _ = bench.raise("app", at: 0)
    for (second, isMuch) in [(49.0, false), (51, true), (119, true), (120, false), (169, false), (171, true)]
    {
      bench.run(to: second)
      #expect(bench.isActive("much") == isMuch, "second \(second)")
    }
  }
}

extension GovernorBench {
  func isActive(_ name: String) -> Bool {
    guard let machine = governor.machine else { return false }
    return machine.image.rules.indices.contains {
      machine.image.rules[$0].id.rule == name && machine.isActive(rule: $0)
    }
  }
}
