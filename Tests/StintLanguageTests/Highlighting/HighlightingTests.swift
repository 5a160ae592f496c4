import StintRuntime
import StintTestSupport
import StintUnits
import Testing

@testable import StintLanguage

@Suite("Highlighting")
struct HighlightingTests {
  /// Returns the words of the grammar, sorted.
  private static func words() throws -> [String] {
    try GrammarFile.shipped().literals.filter { $0.first?.isLetter == true }.sorted()
  }

  private static let units = MeasureUnit.all.map(\.symbol).sorted()

  private static func vim() throws -> String {
    String(
      decoding: try FileText.read(Repository.path("grammar/vim/syntax/stint.vim")), as: UTF8.self)
  }

  @Test("the TextMate grammar lists exactly the words of the grammar, each once")
  func textMateWords() throws {
    let grammar = try TextMateGrammar.shipped()
    let words = grammar.words { $0.name?.hasPrefix("keyword.") == true && $0.text.contains("(?:") }
    #expect(try words.sorted() == Self.words())
    #expect(grammar.fileTypes == ["stint"])
  }

  @Test("the TextMate grammar lists each unit once, after longer units with the same beginning")
  func textMateUnits() throws {
    let grammar = try TextMateGrammar.shipped()
    let units = grammar.words { $0.captures[1] == "constant.numeric.stint" }
    #expect((units + ["%"]).sorted() == Self.units)
    Self.expectLongerFirst(units)
    let spans = grammar.words { $0.captures[1] == "keyword.other.stint" }
    #expect(
      spans.sorted() == MeasureUnit.all.filter { $0.dimension == .time }.map(\.symbol).sorted())
    Self.expectLongerFirst(spans)
  }

  @Test("the Vim syntax lists exactly the words of the grammar, each once")
  func vimWords() throws {
    let lines = try Self.vim().matches(of: /(?m)^syntax keyword \w+ (.+)$/).map(\.output.1)
    #expect(try lines.flatMap { $0.split(separator: " ").map(String.init) }.sorted() == Self.words())
  }

  @Test("the Vim syntax lists each unit once, after longer units with the same beginning")
  func vimUnits() throws {
    let list = try #require(try Self.vim().firstMatch(of: /let s:units = \[([^\]]*)\]/)).output.1
    let units = list.matches(of: /'([^']+)'/).map { String($0.output.1) }
    #expect(units.sorted() == Self.units)
    Self.expectLongerFirst(units)
  }

  @Test(
    "the Vim syntax links each of its groups to a highlight group, and Vim detects policies by file extension"
  )
  func vimColours() throws {
    let text = try Self.vim()
    let groups = Set(text.matches(of: /syntax (?:keyword|match|region) (\w+)/).map(\.output.1))
    let linked = Set(text.matches(of: /highlight default link (\w+)/).map(\.output.1))
    #expect(groups == linked)
    let detection = try FileText.read(Repository.path("grammar/vim/ftdetect/stint.vim"))
    #expect(String(decoding: detection, as: UTF8.self).contains("*.stint setfiletype stint"))
  }

  @Test("the TextMate grammar gives each token of the corpus the scope of its kind")
  func corpus() throws {
    let grammar = try TextMateGrammar.shipped()
    let words = Set(try Self.words())
    for example in try CorpusCase.all.get()
    where example.kind == .tree && !example.head.hasPrefix("--- bytes") {
      let source = example.source
      var scopes: [Int: [String?]] = [:]
      for (place, expected) in Self.expectations(source, words) {
        let (line, column) = source.position(of: place)
        let colours = scopes[line] ?? grammar.scopes(source.line(line))
        scopes[line] = colours
        let colour = (colours[column - 1] ?? "nothing")
        #expect(colour.hasPrefix(expected), "\(example.name):\(line):\(column)")
      }
    }
  }

  /// Returns the offset of each token and comment, with the expected prefix of its scope name.
  private static func expectations(_ source: SourceText, _ words: Set<String>) -> [(Int, String)] {
    var lexer = Lexer(source)
    var tokens: [Token] = []
    while tokens.last?.kind != .end { tokens.append(lexer.next()) }
    var expectations = lexer.comments.map { ($0.span.start, "comment.line") }
    for (index, token) in tokens.enumerated() {
      let text = source.text(of: token.span)
      switch token.kind {
      case .string: expectations.append((token.span.start, "string.quoted"))
      case .clock: expectations.append((token.span.start, "constant.other.clock"))
      case .number: expectations.append((token.span.start, "constant.numeric"))
      case .word where index > 0 && tokens[index - 1].kind == .number && !token.isFirstOnLine:
        let isUnit = MeasureUnit.named(text) != nil
        expectations.append((token.span.start, isUnit ? "keyword.other.unit" : "keyword."))
      case .word where isPart(tokens, index): expectations.append((token.span.start, "variable.other.path"))
      case .word where index > 0 && source.text(of: tokens[index - 1].span) == "per": break
      case .word:
        expectations.append((token.span.start, words.contains(text) ? "keyword." : ""))
      case .symbol(.percent): expectations.append((token.span.start, ""))
      case .symbol, .strange, .end: break
      }
    }
    return expectations
  }

  /// Returns true when a dot on the same line joins the word to another word.
  private static func isPart(_ tokens: [Token], _ index: Int) -> Bool {
    let isBefore = tokens[index + 1].isSymbol(.dot) && !tokens[index + 1].isFirstOnLine
    let isBehind = index > 0 && tokens[index - 1].isSymbol(.dot) && !tokens[index - 1].isFirstOnLine
    return isBefore || isBehind && !tokens[index].isFirstOnLine
  }

  private static func expectLongerFirst(_ units: [String]) {
    for (index, unit) in units.enumerated() {
      #expect(!units[..<index].contains { unit.hasPrefix($0) }, "\(unit) follows its own prefix")
    }
  }
}
