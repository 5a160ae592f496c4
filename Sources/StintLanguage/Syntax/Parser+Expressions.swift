import StintModel
import StintUnits

extension Parser {
  /// Words that join expressions, and therefore cannot be names of facts.
  static let operators = Set(LanguageDefinition.joiningWords)

  /// Parses a disjunction, or an implication between a disjunction and an expression.
  mutating func expression() -> SyntaxExpression {
    guard !isLost, enter() else { return missing() }
    defer { depth -= 1 }
    let start = token.span.start
    let left = disjunction()
    guard consume(word: "implies") else { return left }
    let right = expression()
    return node(.implies(left, right), from: start)
  }

  /// Enters one nesting level. Above the limit, the function reports the expression once, skips the deeper
  /// expression and returns false.
  private mutating func enter() -> Bool {
    if depth == 0 { links = 0 }
    depth += 1
    guard depth > Self.deepest else { return true }
    depth -= 1
    reportAndSkip("this expression nests deeper than \(Self.deepest) levels")
    return false
  }

  /// Counts one more joined operand. Above the limit, the function reports the expression once and returns
  /// false.
  private mutating func link() -> Bool {
    links += 1
    guard links > Self.maxLinks else { return true }
    reportAndSkip("this expression joins more than \(Self.maxLinks) parts")
    return false
  }

  private mutating func reportAndSkip(_ title: String) {
    report(.tooDeep, title, token.span, hint: "name its parts with let")
    while token.kind != .end, !token.isSymbol(.openBrace), !token.isSymbol(.closeBrace) { advance() }
  }

  private func missing() -> SyntaxExpression { SyntaxExpression(kind: .missing, span: token.span) }

  /// Makes an expression from `start` to the last parsed token. The function is mutating, so that Swift first
  /// evaluates the arguments that parse the parts.
  private mutating func node(_ kind: SyntaxExpression.Kind, from start: Int) -> SyntaxExpression {
    SyntaxExpression(kind: kind, span: span(from: start))
  }

  private mutating func disjunction() -> SyntaxExpression {
    let start = token.span.start
    var operands = [conjunction()]
    while consume(word: "or") { operands.append(conjunction()) }
    return operands.count == 1 ? operands[0] : node(.or(operands), from: start)
  }

  private mutating func conjunction() -> SyntaxExpression {
    let start = token.span.start
    var operands = [temporal()]
    while consume(word: "and") { operands.append(temporal()) }
    return operands.count == 1 ? operands[0] : node(.and(operands), from: start)
  }

  /// Parses a condition and any number of `for QUANTITY [tolerate QUANTITY]` or `in last QUANTITY` after it.
  /// `not moving for 4 min` means (not moving) for 4 min.
  private mutating func temporal() -> SyntaxExpression {
    let start = token.span.start
    var operand = negation()
    while !isLost {
      if isWord("for") {
        guard link() else { break }
        advance()
        // A duration is a number or a name; `quantity` would also accept a minus sign.
        guard token.kind == .number || isNameOfQuantity else {
          reportExpected("a span of time", hint: "as in: for 4 min")
          break
        }
        let span = quantity("a span of time")
        let tolerate = consume(word: "tolerate") ? quantity("a span of time") : nil
        operand = node(.heldFor(operand, span, tolerate: tolerate), from: start)
      } else if isWord("in"), isAheadWord("last") {
        guard link() else { break }
        advance()
        advance()
        let span = quantity("a span of time")
        operand = node(.inLast(operand, span), from: start)
      } else {
        break
      }
    }
    return operand
  }

  private mutating func negation() -> SyntaxExpression {
    guard isWord("not") else { return comparison() }
    guard enter() else { return missing() }
    defer { depth -= 1 }
    let start = token.span.start
    advance()
    let operand = negation()
    return node(.not(operand), from: start)
  }

  private mutating func comparison() -> SyntaxExpression {
    let start = token.span.start
    let left = sum()
    if let comparison = consumeComparison() {
      let right = sum()
      return node(.compare(comparison, left, right), from: start)
    }
    if token.kind == .word, let comparison = LanguageDefinition.wordedComparison(text(token)) {
      return worded(comparison, left, start)
    }
    if consume(word: "is") {
      let isNegated = consume(word: "not")
      if isNegated, isWord("not") { reportExpected("a word") }
      if token.isSymbol(.openBracket) {
        let form = "\(isNegated ? "not " : "")\(source.text(of: left.span)) in ["
        reportExpected(
          "a word", hint: "a list follows “in”, as in: \(form)a, b]",
          fix: Diagnostic.Fix(
            span: SourceSpan(start: left.span.start, end: token.span.end), replacement: form))
        isLost = false
        let list = wordList(of: left, from: start)
        return isNegated ? node(.not(list), from: start) : list
      }
      let word = name("a word")
      let match = node(.isWord(left, word), from: start)
      return isNegated ? node(.not(match), from: start) : match
    }
    guard isWord("in"), !isAheadWord("last") else { return left }
    advance()
    guard token.isSymbol(.openBracket) else {
      let list = name("a list or a schedule")
      return node(.inName(left, list), from: start)
    }
    return wordList(of: left, from: start)
  }

  /// Parses the words in brackets with which a fact is compared.
  private mutating func wordList(of left: SyntaxExpression, from start: Int) -> SyntaxExpression {
    advance()
    var words: [Name] = []
    repeat { words.append(listElement()) } while !isLost && consume(.comma)
    expect(.closeBracket)
    return node(.inList(left, words), from: start)
  }

  /// Parses a comparison that is written as a word; its definition lists the operands.
  private mutating func worded(_ comparison: OperatorDefinition, _ left: SyntaxExpression, _ start: Int)
    -> SyntaxExpression
  {
    advance()
    var operands = [left]
    for joint in comparison.comparing?.joints ?? [] {
      if let word = joint.word {
        if joint.isOptional {
          guard consume(word: word) else { continue }
        } else {
          expect(word: word)
        }
      }
      operands.append(sum())
    }
    return node(.worded(comparison.name, operands), from: start)
  }

  /// Parses a word of a list, or a string: names of clients are written in quotes.
  private mutating func listElement() -> Name {
    guard token.kind == .string else { return name("a word") }
    let literal = string("a string")
    return Name(text: literal.text, span: literal.span, isText: true)
  }

  private mutating func consumeComparison() -> Comparison? {
    let comparison: Comparison
    switch token.kind {
    case .symbol(.less): comparison = .less
    case .symbol(.lessOrEqual): comparison = .lessOrEqual
    case .symbol(.greater): comparison = .greater
    case .symbol(.greaterOrEqual): comparison = .greaterOrEqual
    case .symbol(.equal): comparison = .equal
    case .symbol(.notEqual): comparison = .notEqual
    case .symbol(.assign) where ahead.isSymbol(.greater) && ahead.span.start == token.span.end:
      let place = SourceSpan(start: token.span.start, end: ahead.span.end)
      report(
        .unexpected, "expected “>=”, found “=>”", place,
        hint: "or “implies”, when one condition requires another",
        fix: Diagnostic.Fix(span: place, replacement: ">="))
      isLost = false
      advance()
      comparison = .greaterOrEqual
    case .symbol(.assign):
      report(
        .unexpected, "expected “==”, found “=”", token.span, hint: "values are compared with ==",
        fix: Diagnostic.Fix(span: token.span, replacement: "=="))
      isLost = false
      comparison = .equal
    default: return nil
    }
    advance()
    return comparison
  }

  private mutating func sum() -> SyntaxExpression {
    let start = token.span.start
    var left = term()
    while token.isSymbol(.plus) || token.isSymbol(.minus), link() {
      let operation: Arithmetic = token.isSymbol(.plus) ? .add : .subtract
      advance()
      let right = term()
      left = node(.arithmetic(operation, left, right), from: start)
    }
    return left
  }

  private mutating func term() -> SyntaxExpression {
    let start = token.span.start
    var left = factor()
    while token.isSymbol(.times) || token.isSymbol(.slash), link() {
      let operation: Arithmetic = token.isSymbol(.times) ? .multiply : .divide
      advance()
      let right = factor()
      left = node(.arithmetic(operation, left, right), from: start)
    }
    return left
  }

  private mutating func factor() -> SyntaxExpression {
    let start = token.span.start
    switch token.kind {
    case .number:
      switch numeric() {
      case .quantity(let literal): return node(.quantity(literal), from: start)
      case .number(let literal): return node(.number(literal), from: start)
      case .name, .string: return missing()
      }
    case .string: return node(.string(string("a string")), from: start)
    case .symbol(.minus):
      guard enter() else { return missing() }
      defer { depth -= 1 }
      advance()
      return node(.negate(factor()), from: start)
    case .symbol(.openParenthesis):
      advance()
      let inner = expression()
      expect(.closeParenthesis)
      return node(.parenthesised(inner), from: start)
    case .word where !Self.operators.contains(text(token)) && !beginsItem: return pathOrCall(start)
    default:
      reportExpected("a fact, a number or a condition")
      return missing()
    }
  }

  private mutating func pathOrCall(_ start: Int) -> SyntaxExpression {
    let path = path("a name")
    guard consume(.openParenthesis) else { return node(.path(path), from: start) }
    var arguments: [SyntaxExpression] = []
    if !token.isSymbol(.closeParenthesis) {
      repeat { arguments.append(expression()) } while !isLost && consume(.comma)
    }
    expect(.closeParenthesis)
    return node(.call(path, arguments), from: start)
  }
}
