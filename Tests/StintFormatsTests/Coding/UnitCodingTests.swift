import StintFormats
import StintTestSupport
import StintUnits
import Testing

@Suite("Codec: quantities and instants")
struct UnitCodingTests {
  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONCoding.decode(type, from: Array("\"\(text)\"".utf8), file: "")
  }

  static let spans: [(Int64, String)] = [
    (0, "0 s"), (14_000_000_000, "14 s"), (5_400_000_000_000, "1 h 30 min"), (250_000_000, "250 ms"),
    (1_000_000_001, "1 s 1 ns"), (86_400_000_000_001, "1 d 1 ns"), (-5_000_000_000, "-5 s"),
    (-5_400_000_000_000, "-5400 s"), (93_784_005_006_007, "93784.005006007 s"),
    (.max, "9223372036.854775807 s"), (.min, "-9223372036.854775808 s"), (.max - 1, "9223372036.854775806 s"),
  ]

  @Test(
    "a span is written in a short form if this is exact, otherwise with all digits; both are read exactly",
    arguments: spans
  )
  func span(nanoseconds: Int64, text: String) throws {
    let span = TimeSpan(nanoseconds: nanoseconds)
    #expect(try JSONCoding.line(of: span) == "\"\(text)\"")
    #expect(try decode(TimeSpan.self, text) == span)
  }

  @Test("a span is read from other units of time and rounded to the nearest nanosecond")
  func otherUnits() throws {
    #expect(try decode(TimeSpan.self, "0.5 h") == .minutes(30))
    #expect(try decode(TimeSpan.self, "2 week") == .hours(336))
    #expect(try decode(TimeSpan.self, "1.5 ns") == TimeSpan(nanoseconds: 2))
    #expect(try decode(TimeSpan.self, "1 h -5 min") == .minutes(55))
    #expect(try decode(TimeSpan.self, "+.5 s") == .milliseconds(500))
    #expect(throws: Problem.self) {
      try decode(TimeSpan.self, "1" + String(repeating: "0", count: 300) + " s")
    }
    #expect(throws: Problem.self) { try decode(TimeSpan.self, "9223372036.854775808 s") }
    #expect(throws: Problem.self) { try decode(TimeSpan.self, "1 per 30 s") }
  }

  static let energies: [(Int128, String)] = [
    (0, "0 J"), (600_000_000, "600 mJ"), (1_000_000_001, "1.000000001 J"), (-1, "-1 nJ"),
    (.max, "170141183460469231731687303715.884105727 J"),
    (.min, "-170141183460469231731687303715.884105728 J"),
  ]

  @Test("an energy is written as an exact text, which is read as an equal energy", arguments: energies)
  func energy(nanojoules: Int128, text: String) throws {
    let energy = Energy(nanojoules: nanojoules)
    #expect(try JSONCoding.line(of: energy) == "\"\(text)\"")
    #expect(try decode(Energy.self, text) == energy)
    #expect(try BinaryDecoder().decode(Energy.self, from: BinaryEncoder().encode(energy)) == energy)
    #expect(try decode(Energy.self, "1 kWh") == Energy(nanojoules: 3_600_000_000_000_000))
  }

  static let instants: [(Int64, String)] = [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
    (1_778_911_200_250_000_000, "2026-05-16T06:00:00.25Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00Z"),
    (.max, "2262-04-11T23:47:16.854775807Z"), (.min, "1677-09-21T00:12:43.145224192Z"),
  ]

  @Test("an instant is written as RFC 3339 in UTC with all digits, and read exactly", arguments: instants)
  func instant(nanoseconds: Int64, text: String) throws {
    let instant = Instant(nanoseconds: nanoseconds)
    #expect(try JSONCoding.line(of: instant) == "\"\(text)\"")
    #expect(try decode(Instant.self, text) == instant)
  }

  @Test("an instant is read with an offset; a time outside of the range is an error")
  func offsets() throws {
    #expect(try decode(Instant.self, "1970-01-01T02:00:00+02:00") == .epoch)
    #expect(try decode(Instant.self, "2262-04-12T01:47:16.854775807+02:00") == .distantFuture)
    for text in ["2262-04-11T23:47:16.854775808Z", "1677-09-21T00:12:43.145224191Z", "0000-01-01T00:00:00Z"] {
      #expect(throws: Problem.self) { try decode(Instant.self, text) }
    }
  }

  @Test("random spans, instants and powers of every size are read exactly as they were written")
  func randomCounts() throws {
    var random = SeededGenerator(seed: 3)
    for _ in Trials(100_000, fewest: 2_000).rounds {
      let count = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
      let round = count - count % random.pick([1, 1_000, 1_000_000_000, 60_000_000_000])
      for count in [count, round] {
        let span = TimeSpan(nanoseconds: count)
        let line = try JSONCoding.line(of: span)
        #expect(try JSONCoding.decode(TimeSpan.self, from: Array(line.utf8), file: "") == span)
        let instant = Instant(nanoseconds: count)
        #expect(try decode(Instant.self, CalendarTime.text(instant)) == instant)
        let power = try JSONCoding.line(of: Power(nanowatts: count))
        #expect(try JSONCoding.decode(Power.self, from: Array(power.utf8), file: "").nanowatts == count)
      }
    }
  }
}
