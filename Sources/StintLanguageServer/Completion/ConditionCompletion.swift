import StintAuthoring
import StintLanguage
import StintModel
import StintUnits

/// Computes the expectations within a condition.
struct ConditionCompletion {
  /// The operators whose right operand has the type of the left operand.
  private static let comparisons = Set(
    LanguageDefinition.operators.filter { $0.level == .comparison && $0.operand == .alike }.map(\.name))
  /// The words that are followed by a span of time.
  private static let spans: Set<String> = ["for", "last", "tolerate"]
  /// The operators after which any part of a condition is valid.
  private static let joints = Set(
    LanguageDefinition.operators.filter { $0.operand == .condition || $0.level == .sum || $0.level == .term }
      .map(\.name))

  /// The pieces of the condition before the cursor.
  let pieces: [Piece]
  let reading: ParsedDocument

  /// Returns the expectations at the cursor. The words of `follow` are valid after the whole condition.
  func expectations(followedBy follow: [String] = []) -> [Expectation] {
    guard let last = pieces.last else { return [.operand(nil)] }
    switch last.kind {
    case .number:
      let units = number(at: pieces.count - 1)
      return [.units(units)] + (units.isEmpty ? [afterOperand(follow)] : [.keyword("per")])
    case .symbol: return after(symbol: last, follow)
    case .word: return after(word: last, follow)
    default: return []
    }
  }

  private func after(symbol: Piece, _ follow: [String]) -> [Expectation] {
    if Self.comparisons.contains(symbol.text) { return [.operand(dimension(before: pieces.count - 1))] }
    if Self.joints.contains(symbol.text) { return [.operand(nil)] }
    switch symbol.text {
    case "(": return arguments(of: pieces.count - 1)
    case "[": return list(of: pieces.count - 1)
    case ",":
      guard let opening = opening() else { return [] }
      return pieces[opening].text == "[" ? list(of: opening) : arguments(of: opening)
    case ")", "]", "%": return [afterOperand(follow)]
    default: return []
    }
  }

  private func after(word: Piece, _ follow: [String]) -> [Expectation] {
    if comparison(joinedAt: pieces.count - 1) != nil {
      return [.operand(dimension(before: pieces.count - 1))]
    }
    if word.text == "not", pieces.count > 1, pieces[pieces.count - 2].isWord("is") {
      return subject(before: pieces.count - 2).map { [.words(of: $0)] } ?? []
    }
    if Self.joints.contains(word.text) { return [.operand(nil)] }
    switch word.text {
    case "is":
      return subject(before: pieces.count - 1).map { [.words(of: $0), .keyword("not")] } ?? [.keyword("not")]
    case "in": return [.keyword("last"), .schedules]
    case _ where Self.spans.contains(word.text): return [.parameters([.time])]
    case _ where Self.comparisons.contains(word.text): return [.operand(dimension(before: pieces.count - 1))]
    case "per": return [.units([.time])]
    default: return [afterOperand(follow)]
    }
  }

  private func afterOperand(_ follow: [String]) -> Expectation {
    .keywords(LanguageDefinition.joiningWords.filter { $0 != "not" } + follow)
  }

  // MARK: Brackets

  private func arguments(of opening: Int) -> [Expectation] {
    guard opening > 0, pieces[opening - 1].kind == .word,
      !Keywords.operators.contains(pieces[opening - 1].text)
    else { return [.operand(nil)] }
    let argument = argument(of: opening)
    if argument.contains(.fact) { return [.facts] }
    if argument.contains(.zone) { return [.zones] }
    if argument.contains(.device) { return [.devices] }
    // Times and lengths are numbers, for which there are no candidates.
    if argument.contains(.time) || argument.contains(.length) { return [] }
    return [.operand(argument.contains(.number) ? dimension(ofArgumentAfter: opening) : nil)]
  }

  /// Returns the valid kinds of the argument that is being typed, for the function whose bracket opens at
  /// `opening`.
  private func argument(of opening: Int) -> [FunctionDefinition.Argument] {
    guard opening > 0, let function = LanguageDefinition.function(pieces[opening - 1].text) else { return [] }
    var depth = 0
    var place = 0
    for piece in pieces[(opening + 1)...] where piece.kind == .symbol {
      if piece.text == "(" || piece.text == "[" { depth += 1 }
      if piece.text == ")" || piece.text == "]" { depth -= 1 }
      if piece.text == ",", depth == 0 { place += 1 }
    }
    return function.arguments.indices.contains(place) ? function.arguments[place] : []
  }

  /// Returns the dimension of a function's first argument; nil when that argument is not a name with a
  /// dimension.
  private func dimension(ofArgumentAfter opening: Int) -> Dimension? {
    guard opening + 1 < pieces.count else { return nil }
    return reading.type(of: pieces[opening + 1].text)?.dimension
  }

  private func list(of opening: Int) -> [Expectation] {
    guard opening > 0, pieces[opening - 1].isWord("in"), let subject = subject(before: opening - 1) else {
      return []
    }
    return [.words(of: subject)]
  }

  /// Returns the index of the innermost open bracket; nil when no bracket is open.
  private func opening() -> Int? {
    var depth = 0
    for index in pieces.indices.reversed() where pieces[index].kind == .symbol {
      switch pieces[index].text {
      case ")", "]": depth += 1
      case "(", "[":
        if depth == 0 { return index }
        depth -= 1
      default: continue
      }
    }
    return nil
  }

  // MARK: Dimensions of numbers

  /// Returns the possible dimensions of a number; empty means any dimension.
  private func number(at index: Int) -> [Dimension] {
    guard index > 0 else { return [] }
    let before = pieces[index - 1]
    if Self.spans.contains(before.text) || before.text == "per" { return [.time] }
    if before.text == ",", let opening = opening() {
      let argument = argument(of: opening)
      if argument.contains(.number) { return dimension(ofArgumentAfter: opening).map { [$0] } ?? [] }
      return [argument.contains(.length) ? .length : .time]
    }
    if comparison(joinedAt: index - 1) != nil { return dimension(before: index - 1).map { [$0] } ?? [] }
    if before.kind == .word, !Keywords.all.contains(before.text) {
      // In `1 h 30`, the number 30 is the second part of a span. It has the dimension of the unit `h`.
      return reading.vocabulary.units.named(before.text).map { [$0.dimension] } ?? []
    }
    guard Self.comparisons.contains(before.text) else { return [] }
    return dimension(before: index - 1).map { [$0] } ?? []
  }

  /// Returns the dimension of the operand before a comparison; nil when it is unknown.
  private func dimension(before index: Int) -> Dimension? {
    let end = comparison(joinedAt: index) ?? index
    guard end > 0 else { return nil }
    if pieces[end - 1].text == ")" { return dimension(ofCallBefore: end - 1) }
    return reading.type(of: pieces[end - 1].text)?.dimension
  }

  private func dimension(ofCallBefore closing: Int) -> Dimension? {
    guard let opening = pieces[..<closing].lastIndex(where: { $0.text == "(" }), opening > 0 else {
      return nil
    }
    switch LanguageDefinition.function(pieces[opening - 1].text)?.result {
    case .quantity(let dimension): return dimension
    case .asFirst: return opening + 1 < closing ? reading.type(of: pieces[opening + 1].text)?.dimension : nil
    case .boolean, .asPart, nil: return nil
    }
  }

  /// Returns the index of the comparison to which the word at `index` adds an operand. For the word
  /// `release`, the comparison is the `below` or `above` before it. Nil when the word adds no operand.
  private func comparison(joinedAt index: Int) -> Int? {
    let names = LanguageDefinition.operators.filter { $0.jointWords.contains(pieces[index].text) }.map(\.name)
    guard !names.isEmpty, pieces[index].kind == .word,
      let start = pieces[..<index].lastIndex(where: {
        $0.kind == .word && LanguageDefinition.joiningWords.contains($0.text)
      }), names.contains(pieces[start].text)
    else { return nil }
    return start
  }

  /// Returns the name before `is` or `in`; nil when there is no name.
  private func subject(before index: Int) -> String? {
    guard index > 0, pieces[index - 1].kind == .word else { return nil }
    return pieces[index - 1].text
  }
}

extension FactType {
  /// The dimension of a quantity; nil for other types.
  var dimension: Dimension? {
    if case .quantity(let dimension) = self { dimension } else { nil }
  }
}
