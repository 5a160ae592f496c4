import StintUnits
import Testing

@Suite struct QuantityTests {
  @Test(
    "F13: quantities are parsed and printed in common notation",
    arguments: [
      ("1 h 30 min", "1 h 30 min"), ("90 s", "1 min 30 s"), ("66 uW", "66 uW"), ("20 %", "20 %"),
      ("5min", "5 min"),
      ("1 per 30 s", "1 per 30 s"), ("50 Hz", "50 Hz"), ("0.5 km", "500 m"), ("2 MB", "2 MB"),
      ("12.5 Hz", "12.5 Hz"),
      ("30 mJ", "30 mJ"), ("-5 m", "-5 m"), ("4 per h", "1 per 15 min"),
    ])
  func roundTrip(text: String, printed: String) throws {
    #expect(try Quantity(parsing: text).description == printed)
  }

  /// A number above the range of `Double`.
  private static let digits = String(repeating: "9", count: 310)

  @Test(
    "F13: a string that is not a quantity is rejected with the reason",
    arguments: [
      ("", Problem.Code.empty, "expected a quantity, found nothing"),
      ("5 parsec", .unknownName, "no unit is spelled “parsec”"),
      ("5 m 3", .missing, "“3” has no unit; write a unit, as in “3 s” or “3 m”"),
      ("1 h 5 m", .type, "“h” and “m” measure different things"),
      ("x s", .syntax, "expected a number, found “x”"), ("inf", .value, "“inf” is not a finite number"),
      ("NaN m", .value, "“NaN” is not a finite number"),
      ("\(digits) m", .value, "“\(digits)” is too large"),
      ("1 per 0 s", .value, "“0” is not above 0; write a time above 0 after “per”"),
      ("1 per 5 m", .type, "“per” and “m” measure different things"),
    ])
  func refusal(text: String, code: Problem.Code, cause: String) {
    #expect(throws: Problem(code, cause: cause)) { try Quantity(parsing: text) }
  }

  @Test("percentages are exact, and whole units become whole nanoseconds, nanowatts and nanojoules")
  func exactness() throws {
    #expect(try Quantity(parsing: "20 %").value == 0.2)
    #expect(try Quantity(parsing: "7 d").timeSpan == .hours(168))
    #expect(try Quantity(parsing: "66 uW").power == Power(nanowatts: 66_000))
    #expect(try Quantity(parsing: "600 mJ").energy == Energy(nanojoules: 600_000_000))
    #expect(try Quantity(parsing: "1 per 60 s").period == .seconds(60))
    #expect(try Quantity(parsing: "50 Hz").period == .milliseconds(20))
    #expect(try Quantity(parsing: "5 m").timeSpan == nil)
  }

  @Test("dimensions multiply and divide, and a ratio does not change the dimension of a product")
  func dimensions() {
    #expect(Dimension.length / .time == .speed)
    #expect(Dimension.power * .time == .energy)
    #expect(Dimension.ratio * .length == .length)
    #expect(Dimension.length != .time)
    #expect(Dimension.ratio != .none)
  }
}
