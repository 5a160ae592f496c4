import StintTestSupport
import StintUnits
import Testing

@Suite struct TimeZoneRulesTests {
  @Test("the offsets of rules match published tables, to the nanosecond", arguments: TimeZoneYear.all)
  func almanacs(year: TimeZoneYear) throws {
    let rules = try TimeZoneRules(year.rule)
    var (instant, offset) = (TimeZoneYear.start, year.offset)
    for change in year.changes {
      #expect(rules.offset(at: instant) == offset)
      #expect(rules.offset(at: change.instant - TimeSpan(nanoseconds: 1)) == offset)
      let next = TimeZoneRules.Transition(instant: change.instant, offset: change.offset)
      #expect(rules.nextTransition(after: instant) == next)
      #expect(rules.nextTransition(after: change.instant - TimeSpan(nanoseconds: 1)) == next)
      (instant, offset) = change
    }
    #expect(rules.offset(at: instant) == offset)
    #expect(rules.isFixed == year.changes.isEmpty)
    #expect((rules.nextTransition(after: instant) == nil) == year.changes.isEmpty)
  }

  @Test("parsing the POSIX form of rules yields equal rules", arguments: TimeZoneYear.all)
  func texts(year: TimeZoneYear) throws {
    let rules = try TimeZoneRules(year.rule)
    #expect(try TimeZoneRules(#require(rules.rule)) == rules)
  }

  @Test("zone names are ignored, offsets are positive to the west, and times are optional")
  func spellings() throws {
    #expect(try TimeZoneRules("UTC0") == .utc)
    #expect(try TimeZoneRules("<+0530>-5:30:07") == .fixed(.seconds(5 * 3600 + 30 * 60 + 7)))
    #expect(try TimeZoneRules("ABCDE+3") == .fixed(.hours(-3)))
    #expect(
      try TimeZoneRules("CET-1CEST-2,M3.5.0/2,M10.5.0/3:00:00") == TimeZoneRules(TimeZoneYear.berlin.rule))
    #expect(try TimeZoneRules("EST5EDT,0/0,J365/25") == .fixed(.hours(-4)))
    #expect(try TimeZoneRules("AAA1BBB1,M3.5.0,M10.5.0") == .fixed(.hours(-1)))
    #expect(try TimeZoneRules(TimeZoneYear.berlin.rule).rule == "<+01>-1<+02>-2,M3.5.0/2,M10.5.0/3")
    #expect(TimeZoneRules.fixed(.minutes(-210)).description == "<-0330>3:30")
  }

  @Test(
    "days of the year count with or without the leap day",
    arguments: [
      ("J59", 1_803_772_800, 1_835_308_800), ("J60", 1_803_859_200, 1_835_481_600),
      ("59", 1_803_859_200, 1_835_395_200), ("60", 1_803_945_600, 1_835_481_600),
    ])
  func countedDays(day: String, common: Int64, leap: Int64) throws {
    let rules = try TimeZoneRules("AAA0BBB,\(day)/0,J300/0")
    for begin in [common, leap] {
      // A month before summer time begins.
      let winter = Instant.epoch + .seconds(begin - 30 * 86_400)
      #expect(rules.nextTransition(after: winter)?.instant == .epoch + .seconds(begin))
    }
  }

  @Test(
    "an invalid rule is rejected with the offending text",
    arguments: [
      ("", "expected a zone name such as “CET”, found the end"),
      ("Europe/Berlin", "expected a number, found “/Berlin”"),
      ("CE-1", "expected a zone name such as “CET”, found “CE-1”"),
      ("<+1>-1", "expected a zone name such as “<+03>”, found “<+1>-1”"),
      ("CET", "expected a number, found the end"),
      ("CET-24", "“-24” is out of range"),
      (
        "CET-1CEST",
        "summer time has no rule; write when it begins and ends, as in “,M3.5.0,M10.5.0/3”"
      ),
      ("CET-1CEST,M3.5.0", "expected “,”, found the end"),
      ("CET-1CEST,M13.5.0,M10.5.0", "“13” is out of range"),
      ("CET-1CEST,M3.5.0,M10.5.7", "“7” is out of range"),
      ("CET-1CEST,J0,M10.5.0", "“0” is out of range"),
      ("CET-1CEST,M3.5.0,M10.5.0/168", "“168” is out of range"),
      ("CET-1CEST,M3.5.0,M10.5.0/3 ", "expected the end, found “ ”"),
    ])
  func refusals(text: String, sentence: String) {
    #expect {
      try TimeZoneRules(text)
    } throws: {
      ($0 as? Problem)?.cause == sentence
    }
  }

  @Test("listed transitions without an effect are dropped")
  func lists() {
    let rules = TimeZoneRules(
      base: .zero,
      transitions: [
        .init(instant: .epoch, offset: .zero), .init(instant: .epoch + .hours(1), offset: .hours(2)),
        .init(instant: .epoch + .hours(9), offset: .hours(-2)),
      ])
    #expect(rules.transitions.count == 2)
    #expect(rules.nextTransition(after: .epoch)?.instant == .epoch + .hours(1))
    #expect(rules.offset(at: .epoch + .hours(1)) == .hours(2))
    #expect(rules.nextTransition(after: .epoch + .hours(9)) == nil)
    #expect(rules.offset(at: .distantFuture) == .hours(-2))
    #expect(rules.rule == nil)
    #expect(rules.local(.epoch + .hours(9)).weekday == 3)
    #expect(rules.local(.epoch + .hours(9)).clock == .hours(7))
  }

  @Test("rules give results without a trap at the first and last instants")
  func ends() throws {
    for year in TimeZoneYear.all {
      let rules = try TimeZoneRules(year.rule)
      _ = rules.offset(at: .distantFuture)
      _ = rules.offset(at: Instant(nanoseconds: .min))
      _ = rules.nextTransition(after: .distantFuture)
      _ = rules.local(Instant(nanoseconds: .min))
    }
  }
}
