import StintRuntime
import StintTestSupport
import StintUnits
import Testing

@testable import StintLanguage

@Suite("Grammar")
struct GrammarTests {
  private static func diagnosticTitles(_ text: String) -> [String] {
    Parser.parse(SourceText(file: "f", text: text), units: .standard).diagnostics.map(\.title)
  }

  @Test("every used production is defined, and every production except `file` is used")
  func whole() throws {
    let grammar = try GrammarFile.shipped()
    let used = Set(
      grammar.productions.values.flatMap(\.leaves).compactMap { leaf in
        if case .production(let name) = leaf { name } else { nil }
      })
    #expect(used.subtracting(grammar.names) == [])
    #expect(Set(grammar.names).subtracting(used) == ["file"])
    let lexical = grammar.productions.values.flatMap(\.leaves).compactMap { leaf in
      if case .lexical(let name) = leaf { name } else { nil }
    }
    for name in Set(lexical).sorted() {
      #expect(grammar.lists[name] != nil, "\(name) is not described")
    }
  }

  @Test("each precedence level has one production, and its operands belong to the next level")
  func levels() throws {
    let grammar = try GrammarFile.shipped()
    let levels = [
      "expression", "or", "and", "temporal", "not", "comparison", "sum", "term", "factor",
    ]
    for (level, tighter) in zip(levels, levels.dropFirst()) {
      let operands = (grammar.productions[level]?.leaves ?? []).compactMap { leaf in
        if case .production(let name) = leaf, levels.contains(name) { name } else { nil }
      }
      #expect(Set(operands).subtracting([level]) == [tighter], "\(level)")
    }
  }

  @Test("the keywords of the grammar are the keywords of the parser")
  func keywords() throws {
    var spelled: Set<String> = []
    let parts = [
      "", "+Blocks", "+Budgets", "+Expressions", "+Items", "+Machines", "+Quantities", "+Rules", "+Tests",
      "+Zones",
    ]
    let files =
      parts.map { "Syntax/Parser" + $0 } + [
        "Definition/LanguageDefinition+Verbs", "Definition/LanguageDefinition+Triggers",
      ]
    for name in files {
      let path = Repository.path("Sources/StintLanguage/\(name).swift")
      let text = String(decoding: try FileText.read(path), as: UTF8.self)
      for match in text.matches(of: /(?:word: |then: |isWord\(|isAheadWord\()"([a-z_]+)"/) {
        spelled.insert(String(match.output.1))
      }
    }
    // The parser reads these words from the language definition.
    spelled.formUnion(LanguageDefinition.itemNames)
    spelled.formUnion(LanguageDefinition.verbs.map(\.name))
    spelled.formUnion(LanguageDefinition.triggers.map(\.name))
    for comparison in LanguageDefinition.wordedComparisons {
      spelled.insert(comparison.name)
      spelled.formUnion(comparison.comparing?.joints.compactMap(\.word) ?? [])
    }
    // `auto` and `off` are values, not keywords. The parser tests for them only while it skips tokens after a
    // syntax error. There it must not stop at the `pause` of the setting `pause auto`, because this `pause`
    // begins no directive.
    spelled.subtract(["auto", "off"])
    #expect(try GrammarFile.shipped().literals.filter { $0.first?.isLetter == true } == spelled)
    #expect(Set(LanguageDefinition.keywords.map(\.name)) == spelled)
  }

  @Test("the grammar and the parser accept the same words after a number without a unit")
  func behindNumbers() throws {
    let words = Parser.notUnits
    // A number followed by “per” is a rate and not a number without a unit.
    #expect(Set(try GrammarFile.shipped().lists["BEHIND"] ?? []) == words.subtracting(["per"]))
  }

  @Test("the grammar has the same symbols as the lexer, except the unit %")
  func symbols() throws {
    let symbols = Set(Token.Symbol.allCases.map(\.rawValue)).subtracting(["%"])
    #expect(try GrammarFile.shipped().literals.filter { $0.first?.isLetter != true } == symbols)
  }

  @Test("the grammar lists every unit, grouped into time, angle and other dimensions")
  func units() throws {
    let grammar = try GrammarFile.shipped()
    let all = MeasureUnit.all
    #expect(grammar.lists["TIME"] == all.filter { $0.dimension == .time }.map(\.symbol))
    #expect(grammar.lists["ANGLE"] == all.filter { $0.dimension == .angle }.map(\.symbol))
    let others = all.filter { $0.dimension != .time && $0.dimension != .angle }
    #expect(grammar.lists["UNIT"] == others.map(\.symbol))
  }

  @Test("a sentence of the grammar is parsed without a diagnostic", arguments: Trials(3000).seeds)
  func allowed(seed: UInt64) throws {
    var writer = SentenceWriter(try GrammarFile.shipped(), seed: seed)
    let text = writer.sentence("file")
    #expect(Self.diagnosticTitles(text) == [], "\(text)")
  }

  @Test(
    "formatting a sentence of the grammar is idempotent and keeps tree and comments",
    arguments: Trials(2000).seeds)
  func laidOut(seed: UInt64) throws {
    var writer = SentenceWriter(try GrammarFile.shipped(), seed: seed)
    let text = writer.sentence("file")
    let once = formatted(text)
    #expect(formatted(once) == once, "\(text)")
    #expect(tree(once) == tree(text), "\(once)")
    #expect(comments(once) == comments(text), "\(once)")
  }

  @Test("the grammar accepts a policy that the parser accepts", arguments: 0..<100)
  func read(seed: UInt64) throws {
    var generator = PolicyGenerator(seed: seed)
    let text = generator.policy()
    #expect(Self.diagnosticTitles(text) == [])
    var reader = SentenceReader(try GrammarFile.shipped(), text)
    let isSentence = reader.isSentence(of: "file")
    #expect(isSentence, "\(text)")
  }

  @Test("the shipped policies are sentences of the grammar")
  func shippedPolicies() throws {
    let paths = try Folder.policies(at: Repository.path("policies"))
    #expect(!paths.isEmpty)
    for path in paths {
      var reader = SentenceReader(
        try GrammarFile.shipped(), String(decoding: try FileText.read(path), as: UTF8.self))
      let isSentence = reader.isSentence(of: "file")
      #expect(isSentence, "\(path)")
    }
  }

  @Test(
    "the parser rejects a policy with one inserted mistake exactly when the grammar does",
    arguments: Trials(3000).seeds)
  func spoiledPolicies(seed: UInt64) throws {
    var generator = PolicyGenerator(seed: seed)
    var spoiler = SentenceMutator(try GrammarFile.shipped(), seed: seed)
    try Self.expectSameVerdict(spoiler.mutated(generator.policy(), mistakes: 1))
  }

  @Test(
    "the parser rejects a sentence with one to three inserted mistakes exactly when the grammar does",
    arguments: Trials(10_000).seeds)
  func spoiledSentences(seed: UInt64) throws {
    let grammar = try GrammarFile.shipped()
    var writer = SentenceWriter(grammar, seed: seed)
    var spoiler = SentenceMutator(grammar, seed: seed)
    try Self.expectSameVerdict(spoiler.mutated(writer.sentence("file"), mistakes: Int(seed % 3) + 1))
  }

  /// Expects that the grammar rejects a text exactly when the parser does.
  private static func expectSameVerdict(_ text: String) throws {
    var reader = SentenceReader(try GrammarFile.shipped(), text)
    let problems = diagnosticTitles(text)
    let isSentence = reader.isSentence(of: "file")
    #expect(isSentence == problems.isEmpty, "\(problems)\n\(text)")
  }
}
