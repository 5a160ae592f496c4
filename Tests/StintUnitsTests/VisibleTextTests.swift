import StintUnits
import Testing

@Suite struct VisibleTextTests {
  @Test("control characters and characters that change the direction of text are escaped")
  func dangerous() {
    #expect(VisibleText.line("a\u{1B}[2Jb") == "a\\u{1B}[2Jb")
    #expect(VisibleText.line("a\r\nfault b\u{7F}\u{9B}") == "a\\u{D}\\u{A}fault b\\u{7F}\\u{9B}")
    for scalar in "\u{202A}\u{202E}\u{2066}\u{2069}\u{200F}\u{061C}\u{2028}\u{FEFF}".unicodeScalars {
      let code = String(scalar.value, radix: 16, uppercase: true)
      #expect(VisibleText.line("x\(scalar)y") == "x\\u{\(code)}y")
    }
  }

  @Test("line breaks and tabs of a text with several lines are kept, and other text is unchanged")
  func harmless() {
    #expect(VisibleText.lines("a\n\tb\u{202E}") == "a\n\tb\\u{202E}")
    for text in ["", "“gps” 5 m², 20 µW – Zürich", "שלום", "👩‍🚀"] {
      #expect(VisibleText.line(text) == text)
    }
  }
}
