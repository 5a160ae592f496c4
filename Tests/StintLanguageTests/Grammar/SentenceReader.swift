@testable import StintLanguage

/// Tests whether a text is a sentence of a grammar by trying every derivation.
struct SentenceReader {
  private let grammar: GrammarFile
  private let source: SourceText
  private var tokens: [Token] = []
  private var isWithinBraces: [Bool] = []
  private let words: [String: Set<String>]
  private var known: [Question: Set<Int>] = [:]

  /// A production and the index of its first token. The reader caches the end positions for each such pair.
  private struct Question: Hashable {
    var production: String
    var start: Int
  }

  init(_ grammar: GrammarFile, _ text: String) {
    self.init(grammar, SourceText(file: "sentence", text: text))
  }

  init(_ grammar: GrammarFile, _ source: SourceText) {
    self.grammar = grammar
    self.source = source
    words = grammar.lists.mapValues { Set($0) }
    var lexer = Lexer(source)
    var level = 0
    while true {
      var token = lexer.next()
      if token.kind == .end { break }
      // A token with a lexical error, such as a missing quote, matches no production.
      if !lexer.problems.isEmpty { token.kind = .strange }
      lexer.problems = []
      tokens.append(token)
      if token.isSymbol(.closeBrace) { level -= 1 }
      isWithinBraces.append(level > 0)
      if token.isSymbol(.openBrace) { level += 1 }
    }
  }

  /// Returns true when the whole text is a sentence of the production.
  mutating func isSentence(of production: String) -> Bool {
    ends(.production(production), from: [0]).contains(tokens.count)
  }

  private mutating func ends(_ part: GrammarPart, from starts: Set<Int>) -> Set<Int> {
    switch part {
    case .literal(let literal):
      return Set(starts.filter { isLiteral(literal, at: $0) }.map { $0 + 1 })
    case .lexical(let sort): return Set(starts.compactMap { end(ofLexical: sort, at: $0) })
    case .production(let name):
      return starts.reduce(into: []) { $0.formUnion(ends(name, at: $1)) }
    case .sequence(let parts): return parts.reduce(starts) { ends($1, from: $0) }
    case .choice(let parts): return parts.reduce(into: []) { $0.formUnion(ends($1, from: starts)) }
    case .optional(let part): return starts.union(ends(part, from: starts))
    case .repetition(let part):
      var all = starts
      var fresh = starts
      while !fresh.isEmpty {
        fresh = ends(part, from: fresh).subtracting(all)
        all.formUnion(fresh)
      }
      return all
    }
  }

  private mutating func ends(_ production: String, at start: Int) -> Set<Int> {
    let question = Question(production: production, start: start)
    if let answer = known[question] { return answer }
    guard let part = grammar.productions[production] else { return [] }
    let answer = ends(part, from: [start])
    known[question] = answer
    return answer
  }

  // MARK: Tokens

  private func text(_ place: Int) -> String { source.text(of: tokens[place].span) }

  private func isLiteral(_ literal: String, at place: Int) -> Bool {
    guard place < tokens.count, text(place) == literal else { return false }
    // Inside braces, an item word in the first column matches no literal. A closing brace is missing before
    // such a word.
    if isWithinBraces[place], !isName(place), tokens[place].kind == .word { return false }
    switch tokens[place].kind {
    case .word, .symbol: return true
    case .number, .clock, .string, .strange, .end: return false
    }
  }

  private func end(ofLexical sort: String, at place: Int) -> Int? {
    guard place < tokens.count else { return nil }
    let kind = tokens[place].kind
    switch sort {
    case "NAME": return isName(place) ? place + 1 : nil
    case "FACT": return isName(place) && !Self.joining.contains(text(place)) ? place + 1 : nil
    case "VALUE":
      return isName(place) && !tokens[place].isFirstOnLine && !Self.joining.contains(text(place))
        ? place + 1 : nil
    case "SPAN":
      let isValue =
        isName(place) && !tokens[place].isFirstOnLine && !Self.joining.contains(text(place))
      let isUnit = ["TIME", "ANGLE", "UNIT"].contains { words[$0]?.contains(text(place)) == true }
      let isBeforeSlash =
        place + 1 < tokens.count && text(place + 1) == "/"
        && tokens[place + 1].span.start == tokens[place].span.end
      return isValue && !isUnit && !isBeforeSlash ? place + 1 : nil
    case "WORD": return isName(place) && text(place) != "not" ? place + 1 : nil
    case "LIST": return isName(place) && text(place) != "last" ? place + 1 : nil
    case "NUMBER": return number(place) != nil ? place + 1 : nil
    case "NONZERO": return number(place).map { $0 > 0 } == true ? place + 1 : nil
    case "INT": return number(place).map { $0 == $0.rounded() && $0 < 1e9 } == true ? place + 1 : nil
    case "PART": return number(place) != nil && !tokens[place].isFirstOnLine ? place + 1 : nil
    case "COUNT": return number(place) != nil && isBare(place) ? place + 1 : nil
    case "CLOCK": return kind == .clock && isTime(text(place)) ? place + 1 : nil
    case "STRING": return kind == .string ? place + 1 : nil
    case "RULE": return isName(place) ? endOfRule(place) : nil
    default: return endOfUnit(words[sort] ?? [], place)
    }
  }

  private func number(_ place: Int) -> Double? {
    tokens[place].kind == .number ? Double(text(place)).flatMap { $0 < 1e308 ? $0 : nil } : nil
  }

  private func isTime(_ text: String) -> Bool {
    let parts = text.split(separator: ":").compactMap { Int($0) }
    return parts.count == 2 && parts[1] < 60 && parts[0] * 60 + parts[1] <= 24 * 60
  }

  private static let joining = Set(LanguageDefinition.joiningWords)

  private func isName(_ place: Int) -> Bool {
    guard tokens[place].kind == .word else { return false }
    let isFirst = tokens[place].isFirstOnLine && source.position(of: tokens[place].span.start).column == 1
    return !(isFirst && GrammarFile.itemWords.contains(text(place)))
  }

  /// Returns true when the number has no unit, because the token after the number is not a unit.
  private func isBare(_ place: Int) -> Bool {
    guard place + 1 < tokens.count else { return true }
    if tokens[place + 1].isSymbol(.percent) || text(place + 1) == "per" { return false }
    guard tokens[place + 1].kind == .word, !tokens[place + 1].isFirstOnLine else { return true }
    return words["BEHIND", default: []].contains(text(place + 1))
  }

  private func isAttached(_ place: Int) -> Bool {
    place < tokens.count && tokens[place].span.start == tokens[place - 1].span.end
  }

  private func endOfRule(_ start: Int) -> Int {
    var place = start + 1
    while isAttached(place),
      ["/", "-"].contains(text(place)) || [.word, .number].contains(tokens[place].kind)
    {
      place += 1
    }
    return place
  }

  private func endOfUnit(_ units: Set<String>, _ place: Int) -> Int? {
    guard !tokens[place].isFirstOnLine || tokens[place].isSymbol(.percent) else { return nil }
    if isAttached(place + 1), isAttached(place + 2), text(place + 1) == "/",
      units.contains(text(place) + "/" + text(place + 2))
    {
      return place + 3
    }
    return units.contains(text(place)) ? place + 1 : nil
  }
}
