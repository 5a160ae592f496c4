import Testing

@testable import StintTools

@Suite("Tables of reports") struct TextTableTests {
  @Test(
    "control and direction characters in a cell are escaped, and the column is as wide as the escaped text"
  )
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
