public import StintUnits

/// Parses a policy file into a syntax tree and a list of diagnostics. The parser returns both even after
/// errors.
public struct Parser {
  /// The maximum nesting depth of an expression.
  static let deepest = 200
  /// The maximum number of `+`, `-`, `*`, `/`, `for` and `in last` in one expression. Each of these operators
  /// adds a level to the tree.
  static let maxLinks = 500
  /// The maximum number of diagnostics per file; further problems are not reported.
  static let maxProblems = 1000

  let source: SourceText
  let units: UnitTable
  var lexer: Lexer
  /// The current token, the next token, and the end offset of the previous token.
  var token: Token
  var ahead: Token
  var lastEnd = 0
  var diagnostics: [Diagnostic] = []
  /// True from a syntax error until the parser resumes; it prevents several reports of one mistake.
  var isLost = false
  var depth = 0
  /// The number of operators that count towards `maxLinks` in the outermost expression until now.
  var links = 0

  private init(_ source: SourceText, _ units: UnitTable) {
    self.source = source
    self.units = units
    lexer = Lexer(source)
    token = lexer.next()
    ahead = lexer.next()
  }

  /// Returns the tree of a file and its diagnostics, in order of position.
  ///
  /// - Parameters:
  ///   - source: the text of the file.
  ///   - units: the units that the file may use.
  public static func parse(_ source: SourceText, units: UnitTable) -> (
    file: PolicyFile, diagnostics: [Diagnostic]
  ) {
    if let refusal = tooLong(source) ?? notText(source) {
      return (PolicyFile(name: nil, version: nil, items: [], comments: []), [refusal])
    }
    var parser = Parser(source, units)
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
    for problem in lexer.problems where diagnostics.count < Self.maxProblems {
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

  /// Consumes the word if it is the current token. Returns whether it consumed the word.
  mutating func consume(word: String) -> Bool {
    guard isWord(word) else { return false }
    advance()
    return true
  }

  /// Consumes both words if they are the current token and the next token. Returns whether it
  /// consumed them.
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
    guard diagnostics.count < Self.maxProblems else { return }
    diagnostics.append(
      Diagnostic(
        code, title, file: source.file, labels: [Diagnostic.Label(span: span, text: label)], hint: hint,
        fix: fix))
  }

  // MARK: Names and strings

  /// Parses a name. After a syntax error, the function consumes nothing, because the token may begin the next
  /// construct.
  mutating func name(_ what: String) -> Name {
    guard !isLost, token.kind == .word, !beginsItem else {
      reportExpected(what)
      return Name(text: "", span: token.span)
    }
    let name = Name(text: text(token), span: token.span)
    advance()
    return name
  }

  /// Parses words joined by dots.
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

  /// Parses the name of a device, or a pattern such as `location.*`.
  mutating func devicePattern() -> Name {
    var path = path("a device, as in location.gnss")
    guard token.isSymbol(.dot), ahead.isSymbol(.times), !path.text.isEmpty else { return path }
    advance()
    path.text += ".*"
    path.span.end = token.span.end
    advance()
    return path
  }

  /// Parses the name of a rule. The name may contain hyphens, and the name of another policy and a slash may
  /// precede it. No spaces separate these parts.
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
