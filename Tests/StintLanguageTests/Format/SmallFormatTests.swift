import StintAuthoring
import StintLanguage
import StintTestSupport
import StintUnits
import Testing

@Suite("Formatter on small policies")
struct SmallFormatTests {
  @Test(
    "formatting keeps the syntax tree of a valid policy; a policy with syntax errors is rejected",
    arguments: DiagnosticCase.all)
  func cases(_ example: DiagnosticCase) {
    let source = MarkedSource(example.marked).source()
    let isSound = Parser.parse(source, units: .standard).diagnostics.isEmpty
    switch Formatter.format(source) {
    case .success(let once):
      #expect(isSound)
      #expect(formatted(once) == once)
      #expect(tree(once) == tree(source.text))
    case .failure(let refusal):
      #expect(!isSound && refusal.diagnostics.contains { $0.severity == .error })
    }
  }

  @Test(
    "the formatted text does not depend on line endings, nor on white space outside comments and strings",
    arguments: RepositoryFile.policies)
  func lineEnds(name: String) {
    let formattedText = String(decoding: RepositoryFile.policy(name), as: UTF8.self)
    #expect(formatted(formattedText) == formattedText)
    #expect(formatted(formattedText.replacing("\n", with: "\r\n")) == formattedText)
    #expect(formatted(formattedText + "\n\n \t\n") == formattedText)
    #expect(formatted(String(formattedText.dropLast())) == formattedText)
    #expect(
      formatted(formattedText.replacing(" ", with: "\t "))
        == formattedText.replacing(/#.*|"[^"]*"/) { match in
          String(match.output).replacing(" ", with: "\t ")
        })
  }

  @Test("numbers, times and strings keep their spelling")
  func spellings() {
    let body = "let a = 0.50 > 007 and b == \"x\\\"y\\n\"\nlet c = 5.0 min > 90 s\nschedule s = 6:05..24:00\n"
    let text = formatted("policy \"p\"\n" + body)
    for spelling in ["0.50 > 007", "\"x\\\"y\\n\"", "5.0 min > 90 s", "6:05..24:00"] {
      #expect(text.contains(spelling), "\(text)")
    }
  }

  @Test("settings are on one line up to column 100, and on separate lines beyond it")
  func settingsWidth() {
    for width in 97...103 {
      let entry = "accuracy 10 m  activity "
      let head = "default gps { "
      let word = String(repeating: "w", count: width - head.count - entry.count - 2)
      let text = formatted("policy \"p\"\n\n\(head)\(entry)\(word) }\n")
      let longest = text.split(separator: "\n").map(\.count).max()
      #expect(text.split(separator: "\n").count == (width <= 100 ? 2 : 5), "\(width): \(text)")
      #expect((longest ?? 0) <= 100)
    }
  }
}
