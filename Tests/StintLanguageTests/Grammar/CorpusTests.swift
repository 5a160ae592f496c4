import StintRuntime
import StintTestSupport
import StintUnits
import Testing

@testable import StintLanguage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("The corpus of the grammar")
struct CorpusTests {
  /// When STINT_RECORD_CORPUS is set, the tests write changed trees and diagnostics into the corpus. A case
  /// that changes from `tree` to `reject`, or back, still fails. Review the changes before committing them.
  private static let isRecording = getenv("STINT_RECORD_CORPUS") != nil

  @Test(
    "the parser gives the expected result for each case of the corpus",
    arguments: try CorpusCase.all.get())
  func asItSays(_ example: CorpusCase) throws {
    let actual = example.actual
    #expect(example.kind == actual.kind, "\(actual.text)\n\(example.head)")
    guard example.kind == actual.kind, example.expected != actual.text else { return }
    if Self.isRecording {
      let text = example.head + "--- \(actual.kind.rawValue)\n" + actual.text + "\n"
      try FileText.write(Array(text.utf8), to: example.path)
    } else {
      Issue.record("\(example.name) has another result:\n\(example.head)\(actual.text)")
    }
  }

  @Test("the corpus has at least 400 different cases, each of at most nine lines that are not empty")
  func large() throws {
    let examples = try CorpusCase.all.get()
    #expect(examples.count >= 400)
    var names: [[UInt8]: String] = [:]
    for example in examples {
      #expect(
        names[example.source.bytes] == nil || example.source.hadByteOrderMark,
        "\(example.name), \(names[example.source.bytes] ?? "")")
      names[example.source.bytes] = example.name
      #expect(example.head.split(separator: "\n").count <= 9, "\(example.name) is long")
    }
  }

  @Test("each word, symbol and unit of the grammar occurs in a valid text")
  func words() throws {
    var seen: Set<String> = []
    for example in try CorpusCase.all.get() where example.kind == .tree {
      var lexer = Lexer(example.source)
      while true {
        let token = lexer.next()
        if token.kind == .end { break }
        if token.kind != .string { seen.insert(example.source.text(of: token.span)) }
      }
    }
    let grammar = try GrammarFile.shipped()
    #expect(grammar.literals.subtracting(seen) == [])
    let units = ["TIME", "ANGLE", "UNIT"].flatMap { grammar.lists[$0] ?? [] }
    #expect(units.flatMap { $0.split(separator: "/").map(String.init) }.filter { !seen.contains($0) } == [])
  }

  @Test("each diagnostic code of lexer and parser occurs in the corpus")
  func codes() throws {
    let seen = Set(try CorpusCase.all.get().flatMap { $0.expected.matches(of: /(?m)^P\d{4}/).map(\.output) })
    for code in DiagnosticCode.all where code.name.hasPrefix("P00") || code.name.hasPrefix("P01") {
      // Only a text of more than 4 MiB has this code. Such a text is too large for the corpus.
      if code == .tooLong { continue }
      #expect(seen.contains(code.name[...]), "\(code)")
    }
  }

  @Test("the grammar accepts a case exactly when the parser accepts it")
  func sentences() throws {
    let grammar = try GrammarFile.shipped()
    for example in try CorpusCase.all.get() where !Self.isBeyondGrammar(example) {
      var reader = SentenceReader(grammar, example.source)
      let isSentence = reader.isSentence(of: "file")
      #expect(isSentence == (example.kind == .tree), "\(example.name)")
    }
  }

  /// Returns true for limits and invalid encodings, which productions cannot express.
  private static func isBeyondGrammar(_ example: CorpusCase) -> Bool {
    example.expected.hasPrefix("P0103") || example.expected.hasPrefix("P0003")
  }

  @Test("each corpus case in the README of the grammar is parsed with the result shown")
  func examplesInReadme() throws {
    let readme = try FileText.read(Repository.path("grammar/README.md"))
    let blocks = String(decoding: readme, as: UTF8.self).split(separator: "```text\n").dropFirst()
      .map { $0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.endIndex) }
      .filter { $0.contains("\n--- ") }
    #expect(blocks.count == 2)
    for block in blocks {
      let example = CorpusCase("README/example.txt", Array(block.utf8))
      #expect(example.actual.text == example.expected, "\(block)")
      #expect(example.actual.kind == example.kind, "\(block)")
    }
  }

  @Test("each expression in the README of the grammar is parsed into the tree shown")
  func expressionsInReadme() throws {
    let readme = String(decoding: try FileText.read(Repository.path("grammar/README.md")), as: UTF8.self)
    let heading = "Expressions, in order of increasing precedence"
    let place = try #require(readme.firstRange(of: heading)).upperBound
    let table = readme[place...].split(separator: "\n").dropFirst(3).prefix { $0.hasPrefix("|") }
    #expect(table.count > 12)
    for row in table {
      let cells = row.split(separator: "|").map { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } }
      for (text, tree) in zip(cells[0], cells[1]) {
        let file = Parser.parse(
          SourceText(file: "README", text: "policy \"p\" let e = \(text)"), units: .standard
        ).file
        #expect(file.tree.description == "(policy \"p\"\n  (let e \(tree)))")
      }
    }
  }
}
