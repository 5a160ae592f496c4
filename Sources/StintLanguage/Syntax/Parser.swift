/// Reads a policy file: a tree and what is wrong with it, always both.
public struct Parser {
  /// How deep an expression may nest.
  static let deepest = 200
  /// How many sums, products and spans of time one expression may join; each makes its tree one level higher.
  static let mostLinks = 500
  /// How many problems are kept; the rest of a hopeless file is skipped in silence.
  static let mostProblems = 1000

  let source: SourceText
  var lexer: Lexer
  /// The token in hand, the one after it, and where the one before it ended.
  var token: Token
  var ahead: Token
  var lastEnd = 0
  var diagnostics: [Diagnostic] = []
  /// Set by a problem, cleared where reading starts afresh: one mistake is reported once.
  var isLost = false
  var depth = 0
  /// Operators joined from left to right so far in the outermost expression.
  var links = 0

  private init(_ source: SourceText) {
    self.source = source
    lexer = Lexer(source)
    token = lexer.next()
    ahead = lexer.next()
  }

  /// The tree of a file and its problems, in the order of the text.
  public static func parse(_ source: SourceText) -> (file: PolicyFile, diagnostics: [Diagnostic]) {
    if let refusal = tooLong(source) {
      return (PolicyFile(name: nil, version: nil, items: [], comments: []), [refusal])
    }
    var parser = Parser(source)
    parser.reportEncoding()
    var file = parser.file()
    parser.drainLexer()
    file.comments = parser.lexer.comments
    let ordered = parser.diagnostics.enumerated().sorted { left, right in
      let starts = (left.element.labels.first?.span.start ?? 0, right.element.labels.first?.span.start ?? 0)
      return starts.0 == starts.1 ? left.offset < right.offset : starts.0 < starts.1
    }
    return (file, ordered.map(\.element))
  }

  // MARK: Tokens

  mutating func advance() {
    lastEnd = token.span.end
    token = ahead
    ahead = lexer.next()
    drainLexer()
  }

  mutating func drainLexer() {
    guard !lexer.problems.isEmpty else { return }
    for problem in lexer.problems where diagnostics.count < Self.mostProblems {
      // What is not UTF-8 has been reported, once for the file.
      if !source.invalidOffsets.isEmpty, source.text(of: problem.span).hasPrefix("\u{FFFD}") { continue }
      diagnostics.append(
        Diagnostic(
          problem.code, problem.title, file: source.file,
          labels: [Diagnostic.Label(span: problem.span, text: "")],
          hint: problem.hint,
          fix: problem.replacement.map { Diagnostic.Fix(span: problem.span, replacement: $0) }))
    }
    lexer.problems.removeAll()
  }

  func text(_ token: Token) -> String { source.text(of: token.span) }

  func isWord(_ word: String) -> Bool { token.kind == .word && text(token) == word }

  func isAheadWord(_ word: String) -> Bool { ahead.kind == .word && text(ahead) == word }

  /// Takes the word if it is next.
  mutating func consume(word: String) -> Bool {
    guard isWord(word) else { return false }
    advance()
    return true
  }

  /// Takes both words if they are next.
  mutating func consume(word: String, then second: String) -> Bool {
    guard isWord(word), isAheadWord(second) else { return false }
    advance()
    advance()
    return true
  }

  mutating func consume(_ symbol: Token.Symbol) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  @discardableResult
  mutating func expect(_ symbol: Token.Symbol) -> Bool {
    if consume(symbol) { return true }
    reportExpected("“\(symbol.rawValue)”")
    return false
  }

  func span(from start: Int) -> SourceSpan { SourceSpan(start: start, end: max(start, lastEnd)) }

  // MARK: Problems

  mutating func report(
    _ code: DiagnosticCode, _ title: String, _ span: SourceSpan, label: String = "", hint: String? = nil,
    fix: Diagnostic.Fix? = nil
  ) {
    guard !isLost else { return }
    isLost = true
    guard diagnostics.count < Self.mostProblems else { return }
    diagnostics.append(
      Diagnostic(
        code, title, file: source.file, labels: [Diagnostic.Label(span: span, text: label)], hint: hint,
        fix: fix))
  }

  // MARK: Small things

  /// Once lost, nothing is taken: it may be the start of what comes next.
  mutating func name(_ what: String) -> Name {
    guard !isLost, token.kind == .word, !beginsItem else {
      reportExpected(what)
      return Name(text: "", span: token.span)
    }
    let name = Name(text: text(token), span: token.span)
    advance()
    return name
  }

  /// Words joined by dots.
  mutating func path(_ what: String) -> Name {
    var path = name(what)
    while token.isSymbol(.dot), ahead.kind == .word {
      advance()
      path.text += "." + text(token)
      path.span.end = token.span.end
      advance()
    }
    return path
  }

  /// Words joined by dots, hyphens and slashes without spaces: the name of a rule elsewhere.
  mutating func rulePath() -> Name {
    var path = name("the name of a rule")
    while token.span.start == path.span.end,
      token.isSymbol(.slash) || token.isSymbol(.minus) || token.kind == .word || token.kind == .number
    {
      path.text += text(token)
      path.span.end = token.span.end
      advance()
    }
    return path
  }

  mutating func string(_ what: String) -> StringLiteral {
    guard token.kind == .string else {
      reportExpected(what)
      return StringLiteral(text: "", span: token.span)
    }
    let literal = StringLiteral(text: Self.unquoted(text(token)), span: token.span)
    advance()
    return literal
  }

  private static func unquoted(_ text: String) -> String {
    var result = ""
    var characters = text.dropFirst().makeIterator()
    while let character = characters.next() {
      if character == "\\", let next = characters.next() {
        result.append(next == "n" ? "\n" : next == "t" ? "\t" : next)
      } else if character != "\"" {
        result.append(character)
      }
    }
    return result
  }
}
