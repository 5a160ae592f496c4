import StintUnits

extension Parser {
  static let verbs = LanguageDefinition.verbNames

  mutating func rule(_ start: Int) -> RuleItem {
    let name = name("a name for the rule")
    let note = token.kind == .string ? string("a sentence") : nil
    var overrides: [Name] = []
    if consume(word: "over") {
      repeat { overrides.append(rulePath()) } while !isLost && consume(.comma)
    }
    let trigger = trigger()
    let hasHead = !isLost && token.isSymbol(.openBrace)
    let body = isLost ? [] : block(of: Self.verbs, "a directive") { $0.statement() }
    return RuleItem(
      name: name, note: note, overrides: overrides, trigger: trigger, body: body, isBroken: !hasHead,
      span: span(from: start))
  }

  private mutating func trigger() -> SyntaxTrigger {
    let place = token.span
    for trigger in LanguageDefinition.triggers where consume(word: trigger.name) {
      return trigger.parse(&self, place)
    }
    let names = LanguageDefinition.triggers.map(\.name)
    reportExpected("always, while, when or every", among: names)
    return .always(place)
  }

  mutating func statement() -> SyntaxStatement {
    let verb = Name(text: text(token), span: token.span)
    advance()
    let kind = kind(of: verb)
    let ending = isWord("for") && !isLost ? ending() : nil
    return SyntaxStatement(kind: kind, verb: verb, ending: ending, span: span(from: verb.span.start))
  }

  private mutating func kind(of verb: Name) -> SyntaxStatement.Kind {
    guard let definition = LanguageDefinition.verb(verb.text) else {
      preconditionFailure("a statement begins with a verb: \(verb.text)")
    }
    return definition.parse(&self, verb)
  }

  mutating func batch() -> SyntaxStatement.Kind {
    let target = target()
    expect(word: "until")
    var bounds: [SyntaxValue] = []
    repeat {
      bounds.append(value("a time, a distance, a count of items or an amount of data"))
    } while !isLost && consume(word: "or")
    return .batch(target, bounds: bounds)
  }

  mutating func start() -> SyntaxStatement.Kind {
    let target = target()
    var client: StringLiteral?
    if isWord("for"), ahead.kind == .string {
      advance()
      client = string("the client's name in quotes")
    }
    let settings = consume(word: "with") ? settings() : []
    return .start(target, client: client, settings: settings)
  }

  mutating func stop() -> SyntaxStatement.Kind {
    let target = target()
    var exceptions: [StringLiteral] = []
    if consume(word: "except") {
      repeat { exceptions.append(string("the client's name in quotes")) } while !isLost && consume(.comma)
    }
    return .stop(target, exceptions: exceptions)
  }

  /// Parses `defer net until C deadline 7 d`. A defer with an ending (`for 30 s doubling to 1 h`) needs
  /// neither `until` nor `deadline`.
  mutating func deferral(_ verb: Name) -> SyntaxStatement.Kind {
    let target = target()
    guard consume(word: "until") else { return .defer(target, until: nil, deadline: nil) }
    let until = expression()
    guard consume(word: "deadline") else {
      report(
        .missingDeadline, "this defer has no deadline", span(from: verb.span.start),
        hint: "specify how long work may wait, as in: deadline 18 h")
      return .defer(target, until: until, deadline: nil)
    }
    return .defer(target, until: until, deadline: quantity("a span of time"))
  }

  private mutating func ending() -> SyntaxEnding {
    let start = token.span.start
    advance()
    let duration = quantity("a span of time")
    var ceiling: QuantityLiteral?
    if consume(word: "doubling") {
      expect(word: "to")
      ceiling = quantity("a span of time")
    }
    var most: NumberLiteral?
    if consume(word: "at", then: "most") {
      if token.kind == .number, case .number(let literal) = numeric() {
        most = literal
      } else if isNameOfQuantity, !isWord("times") || isAheadWord("times") {
        let name = name("a number of times")
        most = NumberLiteral(value: 0, span: name.span, name: name)
      } else {
        reportExpected("a number of times")
      }
      expect(word: "times")
    }
    return SyntaxEnding(duration: duration, doublingTo: ceiling, atMost: most, span: span(from: start))
  }

  mutating func target() -> SyntaxTarget {
    let start = token.span.start
    if beginsDirective {
      reportExpected(
        "a device", hint: "\(found) begins the next directive; the verb before it has no device yet")
    }
    guard consume(.openBracket) else {
      let name = path("a device")
      return SyntaxTarget(names: [name], isList: false, span: name.span)
    }
    var names: [Name] = []
    repeat { names.append(path("a device")) } while !isLost && consume(.comma)
    expect(.closeBracket)
    return SyntaxTarget(names: names, isList: true, span: span(from: start))
  }

  /// True when a device is expected, but the current line begins with a verb and its operand.
  ///
  /// A device is never followed by a string, an opening bracket or a name on its line. So a device whose name
  /// is a verb is still accepted.
  private var beginsDirective: Bool {
    guard token.kind == .word, token.isFirstOnLine, Self.verbs.contains(text(token)), !ahead.isFirstOnLine
    else {
      return false
    }
    switch ahead.kind {
    case .string, .symbol(.openBracket): return true
    case .word: return !Self.notUnits.contains(text(ahead))
    default: return false
    }
  }
}
