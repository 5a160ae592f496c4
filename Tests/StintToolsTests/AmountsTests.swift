import StintDaemon
import StintUnits
import Testing

@testable import StintTools

@Suite("Amounts and tables")
struct AmountsTests {
  @Test(
    "counts have a space between groups of three digits",
    arguments: [(0, "0"), (999, "999"), (1000, "1 000"), (-1_234_567, "-1 234 567")])
  func counts(number: Int, text: String) { #expect(Amounts.count(number) == text) }

  @Test(
    "joules are rounded to tenths, and halves are rounded away from zero",
    arguments: [
      (0, "0.0"), (49_999_999, "0.0"), (50_000_000, "0.1"), (-50_000_000, "-0.1"),
      (2_160_000_000_000, "2 160.0"),
    ] as [(Int64, String)])
  func joules(nanojoules: Int64, text: String) {
    #expect(Amounts.joules(Energy(nanojoules: nanojoules)) == text)
  }

  @Test(
    "the length of a bar is proportional to its share",
    arguments: [(-1, ""), (0, ""), (0.5, "██"), (0.53, "██▏"), (7, "████")])
  func bars(part: Double, bar: String) { #expect(Amounts.bar(part, width: 4) == bar) }

  @Test("spans of one minute or more are rounded to seconds")
  func spans() {
    #expect(Amounts.span(TimeSpan(nanoseconds: 61_600_000_000)) == "1 min 2 s")
    #expect(Amounts.span(.milliseconds(1500)) == "1 s 500 ms")
  }

  @Test("a column is as wide as its widest cell, and a title does not widen the column")
  func table() {
    var table = TextTable()
    table.add(["A title that is long"])
    table.add(["a", "1"])
    table.add(["bcd", "234"], .total)
    #expect(table.text(.plain) == "A title that is long\na       1\nbcd   234")
  }
}
