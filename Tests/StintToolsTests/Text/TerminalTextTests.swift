import StintTools
import Testing

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("plain text, tabs\tand\nlines – and “quotes”", "plain text, tabs\tand\nlines – and “quotes”"),
    ("\u{1B}[31mred\u{1B}[0m", "\u{1B}[31mred\u{1B}[0m"),
    ("\u{1B}[2Jgone", "\\u{1B}[2Jgone"), ("\u{1B}]0;title\u{07}", "\\u{1B}]0;title\\u{7}"),
    ("\u{9B}2J", "\\u{9B}2J"), ("a\rb\u{08}", "a\\u{D}b\\u{8}"), ("\u{7F}", "\\u{7F}"),
    ("\u{202E}txt.exe\u{202C}", "\\u{202E}txt.exe\\u{202C}"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
    ("\u{200F}\u{2028}", "\\u{200F}\\u{2028}"), ("\u{1B}[", "\\u{1B}["), ("\u{1B}[1;5m", "\\u{1B}[1;5m"),
  ])
  func `control sequences are escaped, and colours are kept`(text: String, expected: String) {
    #expect(TerminalText.safe(text) == expected)
  }
}
