import StintLanguage
import StintModel
import StintSimulation
import StintTools
import StintUnits
import Testing

@Suite("Start days of tests")
struct TestCalendarTests {
  private static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"

  /// Returns whether expectations hold under a rule that pauses the receiver in a window of the night.
  private func passes(_ window: String, _ expectations: String, on date: String?, in zone: String?) throws
    -> Bool
  {
    let text = """
      policy "walk"
      use location.gnss as gps
      schedule night = \(window)
      rule quiet while time in night { pause gps }
      test "night" {
        at 0 s set screen.on = true
        \(expectations)
      }
      """
    let tests = try PolicyTests(
      [SourceText(file: "walk.stint", text: text)],
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()),
      calendar: try TestCalendar(timeZone: zone, date: date))
    return try tests.run().failures == 0
  }

  @Test("local time is correct in the night without 02:30 and in the night in which 02:30 occurs twice")
  func nights() throws {
    let usual = "expect not quiet at 2 h 20 min expect quiet at 2 h 40 min expect not quiet at 4 h 10 min"
    let spring = "expect not quiet at 1 h 50 min expect quiet at 2 h 10 min expect not quiet at 3 h 10 min"
    let autumn = "expect quiet at 2 h 40 min expect quiet at 3 h 10 min expect quiet at 4 h 50 min"
    for (date, zone, expectations) in [
      (nil, nil, usual), ("2026-03-29", nil, usual), ("2026-03-28", Self.berlin, usual),
      ("2026-03-29", Self.berlin, spring), ("2026-10-25", Self.berlin, autumn),
    ] as [(String?, String?, String)] {
      #expect(try passes("02:30..04:00", expectations, on: date, in: zone), "\(date ?? "-") \(zone ?? "-")")
    }
    #expect(try !passes("02:30..04:00", usual, on: "2026-03-29", in: Self.berlin))
  }

  @Test("the weekday is correct for the date")
  func weekdays() throws {
    let begin = "expect quiet at 1 h"
    for (day, date) in [("mon", nil), ("sun", "2026-03-29"), ("thu", "2024-02-29"), ("fri", "1999-12-31")] {
      #expect(try passes("\(day) 00:30..02:00", begin, on: date, in: nil), "\(day)")
    }
  }

  @Test(
    "an invalid date is refused",
    arguments: [
      "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-5", "26-01-05", "2026-04-31", "tomorrow", "",
    ])
  func refusals(date: String) {
    #expect(throws: Problem.self) { try TestCalendar(timeZone: nil, date: date) }
  }
}
