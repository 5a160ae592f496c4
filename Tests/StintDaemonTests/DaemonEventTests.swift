import StintModel
import StintUnits
import Testing

@testable import StintDaemon

@Suite struct DaemonEventTests {
  @Test("each line of a dated event begins with date and time in UTC and the level")
  func dated() {
    let event = DaemonEvent(level: .refusal, time: nil, text: "hang: \u{1B}[2J\nforged")
    #expect(
      event.datedLine(at: Instant(nanoseconds: 1_795_754_110_000_000_000))
        == "2026-11-27T04:35:10Z refusal problem: hang: \\u{1B}[2J\\u{A}forged")
    let problem = DaemonEvent(level: .problem, time: nil, text: "the state cannot be saved\nrequested by ada")
    #expect(
      problem.datedLine(at: .epoch) == """
        1970-01-01T00:00:00Z problem the state cannot be saved
        1970-01-01T00:00:00Z problem requested by ada
        """)
    let lines = DaemonEvent.notice("two\nlines").datedLine(at: .epoch)
    #expect(lines == "1970-01-01T00:00:00Z notice two\n1970-01-01T00:00:00Z notice lines")
  }

  @Test(
    "an undated line is the event's text, for a refusal after “problem:”; unsafe characters are escaped")
  func plain() {
    #expect(DaemonEvent.notice("two\nlines\u{202E}").line == "two\nlines\\u{202E}")
    let refusal = DaemonEvent(level: .refusal, time: nil, text: "a\nb")
    #expect(refusal.line == "problem: a\\u{A}b")
  }
}
