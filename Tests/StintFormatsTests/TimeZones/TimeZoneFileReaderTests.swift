import StintFormats
import StintTestSupport
import StintUnits
import Testing

@Suite("Compiled time zone files")
struct TimeZoneFileReaderTests {
  private static func rules(_ bytes: [UInt8]) throws -> TimeZoneRules {
    try TimeZoneFileReader.rules(of: bytes, source: "zone")
  }

  /// Returns the error of a file with these bytes; nil when the file is valid.
  private static func error(_ bytes: [UInt8]) -> Problem? {
    do throws(Problem) {
      _ = try TimeZoneFileReader.rules(of: bytes, source: "zone")
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "the listed transitions of a file apply first, and its yearly rule applies after them",
    arguments: ["2", "3", "4"])
  func listAndRule(version: String) throws {
    let berlin = try TimeZoneRules(TimeZoneYear.berlin.rule)
    var file = ZoneFile(version: version)
    // Adds an earlier transition to an offset of three hours, which the rule does not contain.
    file.types.append(10_800)
    file.times.insert((seconds: 1_748_736_000, type: 2), at: 0)
    let rules = try Self.rules(file.bytes)
    #expect(rules.transitions.count == 3)
    #expect(rules.tail == berlin)
    #expect(rules.offset(at: .epoch) == .hours(1))
    #expect(rules.offset(at: .epoch + .seconds(1_748_736_000)) == .hours(3))
    for year in 0..<60 {
      for half in [0, 182] {
        let instant = TimeZoneYear.start + .hours(24 * Int64(year * 365 + half + 120))
        #expect(rules.offset(at: instant) == berlin.offset(at: instant))
        #expect(rules.nextTransition(after: instant) == berlin.nextTransition(after: instant))
      }
    }
    // The rule gives the first transition after the last listed transition.
    let last = rules.transitions[2].instant
    #expect(rules.nextTransition(after: last) == berlin.nextTransition(after: last))
  }

  @Test("a file without a rule and a file without transitions are read")
  func other() throws {
    let old = try Self.rules(ZoneFile(version: "\0").bytes)
    #expect(old.tail == nil)
    #expect(old.offset(at: TimeZoneYear.start) == .hours(1))
    #expect(old.transitions.map(\.offset) == [.hours(2), .hours(1)])
    let ruled = try Self.rules(ZoneFile(times: []).bytes)
    #expect(ruled == (try TimeZoneRules(TimeZoneYear.berlin.rule)))
    #expect(
      try Self.rules(ZoneFile(times: [], types: [19_800], rule: "IST-5:30").bytes) == .fixed(.minutes(330)))
    #expect(try Self.rules(ZoneFile(times: [], types: [0], rule: "").bytes) == .utc)
  }

  @Test(
    "transitions before the earliest `Instant` set the base offset, and those after the latest are dropped")
  func ends() throws {
    let file = ZoneFile(
      times: [(-(1 << 59), 2), (1_774_746_000, 1), (1 << 58, 0)], types: [3600, 7200, 600], rule: "")
    let rules = try Self.rules(file.bytes)
    #expect(rules.transitions.count == 1)
    #expect(rules.baseOffset == .seconds(600))
    #expect(rules.offset(at: .distantFuture) == .hours(2))
  }

  @Test(
    "a file that violates the format is rejected",
    arguments: [
      (ZoneFile(version: "1"), .version), (ZoneFile(leapSeconds: 3), .value),
      (ZoneFile(types: []), .missing), (ZoneFile(types: [3600, 86_400]), .value),
      (ZoneFile(types: [3600, -86_400]), .value), (ZoneFile(types: [.min, 3600]), .value),
      (ZoneFile(types: [3600]), .value), (ZoneFile(times: [(5, 0), (5, 1)]), .order),
      (ZoneFile(times: [(5, 0), (4, 1)]), .order), (ZoneFile(rule: "Europe/Berlin"), .syntax),
      (ZoneFile(rule: "CET-1CEST"), .syntax),
    ] as [(ZoneFile, Problem.Code)])
  func refusals(file: ZoneFile, code: Problem.Code) {
    #expect(Self.error(file.bytes)?.code == code)
  }

  @Test(
    "a file is rejected when a count in its header exceeds its content, even for a huge count",
    arguments: 0..<6)
  func hugeCounts(place: Int) {
    for count: UInt32 in [1000, 0x7fff_ffff, 0x8000_0000, .max] {
      #expect(Self.error(ZoneFile(lies: [place: count]).bytes)?.code == .truncated)
    }
  }

  @Test("a file with more than 10,000 transitions is rejected")
  func longList() {
    let file = ZoneFile(times: (0...10_000).map { ($0, 0) })
    #expect(Self.error(file.bytes)?.code == .size)
  }

  @Test("a file that is truncated at any byte is rejected")
  func cuts() {
    for file in [ZoneFile(), ZoneFile(version: "\0")] {
      let whole = file.bytes
      #expect(Self.error([])?.code == .empty)
      for length in 1..<whole.count {
        let code = Self.error(Array(whole[..<length]))?.code
        #expect(code == .truncated, "\(length) of \(whole.count)")
      }
    }
    #expect(Self.error(Array("TZdata".utf8))?.code == .unexpectedContent)
    #expect(Self.error(Array("CET-1CEST,M3.5.0,M10.5.0/3\n".utf8))?.code == .unexpectedContent)
  }

  @Test("changed bytes give usable rules or an error")
  func damage() {
    var random = SeededGenerator(seed: 11)
    let whole = ZoneFile().bytes
    var refused = 0
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        let rules = try Self.rules(bytes)
        for instant in [Instant(nanoseconds: .min), .epoch, TimeZoneYear.start, .distantFuture] {
          _ = rules.windowClock(at: instant)
          _ = rules.nextTransition(after: instant)
        }
      } catch {
        refused += 1
      }
    }
    #expect((300..<3000).contains(refused))
  }
}
