import Testing

@testable import StintTools

@Suite("Tables of reports") struct TextTableTests {
  @Test("a character that could forge a report is escaped in each cell, and the column fits the escape")
  func escapes() {
    var table = TextTable()
    table.add(["name", "J"], .heading)
    table.add(["ev\u{202E}il\u{1B}[31m", "1"])
    let text = table.text(.plain)
    #expect(text.contains(#"ev\u{202E}il\u{1B}[31m"#))
    #expect(!text.unicodeScalars.contains("\u{202E}") && !text.unicodeScalars.contains("\u{1B}"))
    #expect(Set(text.split(separator: "\n").map(\.count)).count == 1)
  }
}
