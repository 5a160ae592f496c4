import StintTestSupport
import StintUnits
import Testing

@testable import StintRuntime

@Suite("Worlds of journals")
struct JournalWorldTests {
  private static func world(_ timeZone: TimeZoneRules) -> JournalWorld {
    JournalWorld(manifests: ["{}"], scenario: "s", seed: 7, timeZone: timeZone)
  }

  private static func read(_ bytes: [UInt8]) throws(CodingFault) -> JournalWorld {
    var reader = ByteReader(bytes)
    return try JournalWorld(from: &reader)
  }

  @Test("a fixed time zone takes eight bytes, as in earlier versions")
  func fixed() throws {
    let bytes = Self.world(.fixed(.hours(2))).encoded()
    var expected = ByteWriter()
    expected.integer(1)
    expected.text("{}")
    expected.text("s")
    expected.integer(7)
    expected.integer(7_200_000_000_000)
    #expect(bytes == expected.bytes)
    #expect(try Self.read(bytes).timeZone == .fixed(.hours(2)))
  }

  @Test("time zone rules and transitions are read back unchanged", arguments: TimeZoneYear.all)
  func rules(year: TimeZoneYear) throws {
    let rules = try TimeZoneRules(year.rule)
    let listed = TimeZoneRules(
      base: .minutes(7), transitions: year.changes.map { .init(instant: $0.instant, offset: $0.offset) },
      tail: rules)
    for timeZone in [rules, listed] {
      let bytes = Self.world(timeZone).encoded()
      let read = try Self.read(bytes)
      #expect(read.timeZone == timeZone)
      #expect(read.encoded() == bytes)
    }
  }

  @Test(
    "a truncated `JournalWorld` is refused, and a changed `JournalWorld` is refused or read without a trap"
  )
  func damage() throws {
    let rules = try TimeZoneRules(TimeZoneYear.berlin.rule)
    let changes = TimeZoneYear.berlin.changes.map {
      TimeZoneRules.Transition(instant: $0.instant, offset: $0.offset)
    }
    let whole = Self.world(TimeZoneRules(base: .hours(1), transitions: changes, tail: rules)).encoded()
    let fixed = Self.world(.fixed(.hours(1))).encoded().count
    for length in 0..<whole.count where length != fixed {
      #expect(throws: CodingFault.self) { try Self.read(Array(whole[..<length])) }
    }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      var bytes = whole
      let place = Int.random(in: (fixed - 8)..<bytes.count, using: &random)
      bytes[place] = UInt8.random(in: 0...255, using: &random)
      do throws(CodingFault) {
        let timeZone = try Self.read(bytes).timeZone
        _ = timeZone.windowClock(at: TimeZoneYear.start)
        _ = timeZone.windowClock(at: Instant(nanoseconds: .min))
      } catch {
        #expect(!error.expected.isEmpty)
      }
    }
  }
}
