import Testing

@testable import StintTools

@Suite("Colours of reports")
struct ReportPaintTests {
  private let report =
    "on, 60 mW\n  demanded by  app  10 m\n               web  5 m\n  broken  rate: late\ndone"

  @Test("without colours, a report is unchanged")
  func plain() {
    #expect(ReportPaint(.plain).text(report) == report)
  }

  @Test(
    "colours make the first line bold, dim the keywords and colour the verdicts, without changing the text")
  func coloured() {
    let text = ReportPaint(.colours).text(report)
    let lines = text.split(separator: "\n")
    #expect(lines[0] == "\u{1B}[1mon, 60 mW\u{1B}[0m")
    #expect(lines[1] == "  \u{1B}[2mdemanded by\u{1B}[0m  app  10 m")
    #expect(lines[2] == "               web  5 m")
    #expect(lines[3] == "  \u{1B}[31mbroken\u{1B}[0m  rate: late")
    #expect(lines[4] == "done")
  }
}
