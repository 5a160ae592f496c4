import StintModel
import StintUnits

extension Parser {
  /// Words that may follow a number and are not its unit.
  static let notUnits = Set(LanguageDefinition.wordsAfterNumbers)

  /// Parses a quantity, a rate, or the name of one of these. For a bare number, the function reports the
  /// missing unit, with `units` as examples. After the amount of a budget (`isAmount`), `per day on` or `per
  /// day from` states the period and does not make the number a rate.
  mutating func quantity(
    _ what: String, isAmount: Bool = false, isLiteral: Bool = false, units: [String] = ["s", "m"]
  ) -> QuantityLiteral {
    let start = token.span.start
    if !isLost, !isLiteral, isNameOfQuantity { return QuantityLiteral(name(what)) }
    guard !isLost, token.kind == .number || token.isSymbol(.minus) else {
      reportExpected(what)
      return QuantityLiteral(quantity: nil, span: token.span)
    }
    let isNegative = consume(.minus)
    guard token.kind == .number else {
      reportExpected(what)
      return QuantityLiteral(quantity: nil, span: token.span)
    }
    let isBare = isAmount && isAheadPeriod
    let mayHaveName = !isLiteral && !isNegative
    switch isBare
      ? .number(NumberLiteral(value: number(), span: span(from: start))) : numeric(mayHaveName: mayHaveName)
    {
    case .quantity(var literal):
      if isNegative, let value = literal.quantity {
        literal.quantity = Quantity(-value.value, value.dimension)
      }
      literal.span.start = start
      return literal
    case .number(let literal):
      let examples = units.map { "“\(Quantity.number(literal.value)) \($0)”" }.joined(separator: " or ")
      report(
        .missingUnit, "this number has no unit", literal.span, label: "expected \(what)",
        hint: "write the unit after it, as in \(examples)")
      isLost = false
      return QuantityLiteral(quantity: nil, span: span(from: start))
    case .name, .string: return QuantityLiteral(quantity: nil, span: span(from: start))
    }
  }

  /// True when the current token can be the name of a quantity. A word on the next line begins another
  /// construct.
  var isNameOfQuantity: Bool {
    token.kind == .word && !token.isFirstOnLine && !beginsItem && !Self.operators.contains(text(token))
  }

  /// True when `per day on` or `per day from` follows the current number, which is then not a rate.
  private var isAheadPeriod: Bool {
    guard isAheadWord("per") else { return false }
    var rest = lexer
    guard rest.next().kind == .word else { return false }
    let word = rest.next()
    return word.kind == .word && ["on", "from"].contains(text(word))
  }

  /// Parses a number and its units, such as `5 min 30 s` or `2 Hz`. Also parses a rate such as `1 per 30 s`.
  /// The current token is a number.
  ///
  /// - Parameter mayHaveName: true when a name may replace the time of a rate, as in `1 per pause`.
  mutating func numeric(mayHaveName: Bool = true) -> SyntaxValue {
    let start = token.span.start
    let first = number()
    if isWord("per") { return .quantity(rate(first, from: start, mayHaveName: mayHaveName)) }
    guard let unit = unit() else {
      return .number(NumberLiteral(value: first, span: span(from: start)))
    }
    var total = unit.unit.map { Quantity(first, in: $0) }
    var isSound = unit.unit != nil
    while token.kind == .number, !token.isFirstOnLine, let sum = total,
      sum.dimension == .time || sum.dimension == .angle
    {
      let partStart = token.span.start
      let value = number()
      guard let next = self.unit() else {
        report(.missingUnit, "this number has no unit", span(from: partStart))
        isLost = false
        break
      }
      guard let measure = next.unit else {
        isSound = false
        continue
      }
      let part = Quantity(value, in: measure)
      if part.dimension == sum.dimension {
        total = Quantity(sum.value + part.value, sum.dimension)
      } else {
        reportMixed(sum, measure, next.span, from: start)
        isSound = false
      }
    }
    return .quantity(
      QuantityLiteral(quantity: isSound ? withinLimit(total, from: start) : nil, span: span(from: start)))
  }

  /// Returns the quantity. Reports it and returns nil when its absolute value exceeds
  /// `PolicyLimits.maxNumber`.
  private mutating func withinLimit(_ quantity: Quantity?, from start: Int) -> Quantity? {
    guard let quantity else { return nil }
    // The comparison is also false for NaN.
    if abs(quantity.value) <= PolicyLimits.maxNumber { return quantity }
    report(
      .badNumber, "this quantity is too large", span(from: start),
      hint:
        "the largest quantity is \(Quantity.number(PolicyLimits.maxNumber)) base units, such as metres")
    isLost = false
    return nil
  }

  private mutating func reportMixed(
    _ sum: Quantity, _ measure: MeasureUnit, _ place: SourceSpan, from start: Int
  ) {
    let isMinutes = sum.dimension == .time && measure.symbol == "m"
    report(
      .mixedUnits, "this quantity mixes \(sum.dimension.name) and \(measure.dimension.name)",
      span(from: start),
      hint: isMinutes ? "minutes are written “min”; “m” is always metres" : nil,
      fix: isMinutes ? Diagnostic.Fix(span: place, replacement: "min") : nil)
    isLost = false
  }

  private mutating func number() -> Double {
    let text = text(token)
    let value = Double(text) ?? .infinity
    let isWithinLimit = value <= PolicyLimits.maxNumber
    if !isWithinLimit { report(.badNumber, "this number is too large", token.span) }
    advance()
    return isWithinLimit ? value : 0
  }

  /// Parses the unit after a number; nil when no unit follows. An unknown unit is reported and consumed.
  private mutating func unit() -> (unit: MeasureUnit?, span: SourceSpan)? {
    if token.isSymbol(.percent) {
      defer { advance() }
      return (MeasureUnit.named("%"), token.span)
    }
    guard token.kind == .word, !token.isFirstOnLine else { return nil }
    let word = text(token)
    let place = token.span
    if ahead.isSymbol(.slash), ahead.span.start == place.end, let compound = compound(word, place) {
      return compound
    }
    if !Self.notUnits.contains(word), let unit = units.named(word) {
      advance()
      return (unit, place)
    }
    guard !Self.notUnits.contains(word) else { return nil }
    // The lexer has already reported non-ASCII letters, which no unit contains.
    guard source.isASCII(place) else {
      advance()
      return (nil, place)
    }
    let nearest = UnitSpelling.meant(by: word)
    report(
      .unknownUnit, "no unit is spelled “\(word.prefix(40))”", place,
      hint: nearest.map { "did you mean “\($0)”?" } ?? UnitSpelling.examples,
      fix: nearest.map { Diagnostic.Fix(span: place, replacement: $0) })
    isLost = false
    advance()
    return (nil, place)
  }

  /// True when the current word is no unit, and does not begin one, as in `m/s`.
  private var isNoUnit: Bool {
    guard source.isASCII(token.span), units.named(text(token)) == nil else { return false }
    return !(ahead.isSymbol(.slash) && ahead.span.start == token.span.end)
  }

  /// Parses a compound unit such as `km/h` or `m/s2`; nil when the word is not such a unit.
  private mutating func compound(_ word: String, _ place: SourceSpan) -> (
    unit: MeasureUnit?, span: SourceSpan
  )? {
    let rest = source.bytes[ahead.span.end...].prefix { Lexer.isWordByte($0) }
    guard let unit = units.named(word + "/" + String(decoding: rest, as: UTF8.self)) else { return nil }
    advance()
    advance()
    advance()
    return (unit, SourceSpan(start: place.start, end: rest.endIndex))
  }

  /// Parses the rest of a rate: `1 per 30 s`, `60 per h`, `1 per pause`.
  private mutating func rate(_ count: Double, from start: Int, mayHaveName: Bool) -> QuantityLiteral {
    advance()
    if mayHaveName, isNameOfQuantity, isNoUnit {
      let time = name("a unit of time")
      return QuantityLiteral(
        quantity: nil, span: span(from: start),
        namedRate: QuantityLiteral.NamedRate(count: count, time: time))
    }
    let length = token.kind == .number ? number() : 1
    let unitSpan = token.span
    guard let unit = unit() else {
      reportExpected("a unit of time")
      return QuantityLiteral(quantity: nil, span: span(from: start))
    }
    guard let measure = unit.unit else { return QuantityLiteral(quantity: nil, span: span(from: start)) }
    guard measure.dimension == .time else {
      let isMinutes = measure.symbol == "m"
      report(
        .wrongUnit, "a rate is a count per unit of time, not per unit of \(measure.dimension.name)", unitSpan,
        hint: isMinutes ? "minutes are written “min”; “m” is always metres" : nil,
        fix: isMinutes ? Diagnostic.Fix(span: unitSpan, replacement: "min") : nil)
      isLost = false
      return QuantityLiteral(quantity: nil, span: span(from: start))
    }
    guard length > 0 else {
      report(.outOfRange, "a rate needs a span of time above zero", span(from: start))
      isLost = false
      return QuantityLiteral(quantity: nil, span: span(from: start))
    }
    let rate = Quantity(count / (length * measure.scale), .rate)
    return QuantityLiteral(quantity: withinLimit(rate, from: start), span: span(from: start))
  }

  /// Parses the value of a setting, a bound or a downgrade.
  mutating func value(_ what: String) -> SyntaxValue {
    switch token.kind {
    case .number: return numeric()
    case .string: return .string(string(what))
    case .symbol(.minus): return .quantity(quantity(what))
    default: return .name(name(what))
    }
  }
}
