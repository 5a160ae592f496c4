import StintLanguage

/// Plans the gap before each token of a file without syntax errors.
struct GapPlanner {
  let source: SourceText
  let tokens: [Token]
  var gaps: [Gap]
  /// The index in `tokens` of each token, by its start offset.
  private let tokenIndices: [Int: Int]

  init(_ source: SourceText) {
    self.source = source
    var lexer = Lexer(source)
    var tokens: [Token] = []
    while true {
      let token = lexer.next()
      if token.kind == .end { break }
      tokens.append(token)
    }
    self.tokens = tokens
    gaps = tokens.indices.map { Self.defaultGap(before: $0, in: tokens) }
    tokenIndices = Dictionary(uniqueKeysWithValues: tokens.enumerated().map { ($1.span.start, $0) })
  }

  /// Returns the default gap before a token, for tokens that the tree does not mention.
  private static func defaultGap(before index: Int, in tokens: [Token]) -> Gap {
    guard index > 0 else { return .none }
    let before = tokens[index - 1]
    switch tokens[index].kind {
    case .symbol(.comma), .symbol(.closeParenthesis), .symbol(.closeBracket), .symbol(.dot): return .none
    default: break
    }
    switch before.kind {
    case .symbol(.openBrace) where tokens[index].isSymbol(.closeBrace): return .none
    case .symbol(.openParenthesis), .symbol(.openBracket), .symbol(.dot): return .none
    default: return .spaces(1)
    }
  }

  // MARK: Tokens

  /// Returns the index of the token that begins at an offset; nil when no token begins there.
  func tokenIndex(at offset: Int) -> Int? { tokenIndices[offset] }

  /// Returns the indices of the tokens within a span.
  func range(_ span: SourceSpan) -> Range<Int> {
    guard let first = tokenIndices[span.start] else { return 0..<0 }
    var end = first
    while end < tokens.count, tokens[end].span.end <= span.end { end += 1 }
    return first..<end
  }

  /// Plans the gap before the token that begins at an offset.
  mutating func set(_ gap: Gap, at offset: Int) {
    if let index = tokenIndices[offset] { gaps[index] = gap }
  }

  /// Plans that no space separates the tokens of a span, such as `other-policy/pack` or `08:00..18:00`.
  mutating func join(_ span: SourceSpan) {
    for index in range(span).dropFirst() { gaps[index] = .none }
  }

  // MARK: Items

  mutating func plan(_ file: PolicyFile) {
    if !gaps.isEmpty { gaps[0] = .line(indent: 0, .kept) }
    var previous: PolicyItem?
    for item in file.items {
      let emptyLine: Gap.EmptyLine = previous.map { item.needsEmptyLine(from: $0) } ?? true ? .always : .kept
      set(.line(indent: 0, emptyLine), at: item.span.start)
      plan(item)
      previous = item
    }
    align(file.items)
  }

  private mutating func plan(_ item: PolicyItem) {
    switch item {
    case .use(let item):
      if let condition = item.condition { plan(condition) }
    case .let(let item): plan(item.value)
    case .parameter(let item):
      for literal in [item.value, item.low, item.high] { plan(literal) }
    case .schedule(let item):
      for window in item.windows { join(SourceSpan(start: window.from.span.start, end: window.to.span.end)) }
    case .default(let item): plan(item.settings)
    case .rule(let item): plan(item)
    case .zone(let item): plan(item)
    case .machine(let item): plan(item)
    case .budget(let item): plan(item)
    case .require(let item): plan(item.condition)
    case .test(let item): plan(item)
    }
  }

  mutating func plan(_ settings: [SettingEntry]) {
    for (index, entry) in settings.enumerated() {
      set(.setting(isFirst: index == 0), at: entry.name.span.start)
      plan(entry.value)
    }
    guard let last = settings.last, let end = range(last.value.span).last, end + 1 < tokens.count else {
      return
    }
    gaps[end + 1] = .endOfSettings
  }

  mutating func plan(_ value: SyntaxValue) {
    if case .quantity(let literal) = value { plan(literal) }
  }

  /// Plans a quantity such as `-5 m` or `80 km/h`: no space after the sign and none within a unit.
  mutating func plan(_ literal: QuantityLiteral) {
    for index in range(literal.span) {
      if tokens[index].isSymbol(.minus), index + 1 < tokens.count { gaps[index + 1] = .none }
      guard tokens[index].isSymbol(.slash) else { continue }
      gaps[index] = .none
      if index + 1 < tokens.count { gaps[index + 1] = .none }
    }
  }
}

extension PolicyItem {
  /// Returns true when an empty line always separates this item from the previous item.
  fileprivate func needsEmptyLine(from previous: PolicyItem) -> Bool {
    switch (previous, self) {
    case (.use, .use), (.let, .let), (.parameter, .parameter), (.schedule, .schedule), (.default, .default),
      (.zone, .zone), (.require, .require):
      false
    default: true
    }
  }
}
