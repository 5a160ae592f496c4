import StintUnits

/// An operator of conditions: where it binds, how it is written, and how a comparison by words is checked.
public struct OperatorDefinition: Sendable {
  /// How tightly it binds: the production of `grammar/stint.ebnf` that reads it, from loose to tight.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    case expression, or, and, temporal, not, comparison, sum, term
  }

  /// What stands behind it.
  public enum Operand: Hashable, Sendable {
    case condition, number, time, word
    /// What measures the same as the left side.
    case alike
  }

  /// One operand behind the first of a comparison by words.
  struct Joint: Sendable {
    /// The word in front of the operand; nil for the operator itself.
    var word: String?
    var isOptional = false
  }

  typealias Check = @Sendable (inout PolicyChecker, [SyntaxExpression], SourceSpan) -> CheckedExpression?

  /// How a comparison by words is read and checked; nil for operators that the parser reads itself.
  struct Comparing: Sendable {
    var joints: [Joint]
    var check: Check
  }

  public let word: LanguageWord
  public let level: Level
  public let operand: Operand
  /// What the grammar has behind the operator.
  public let tail: String
  let comparing: Comparing?

  public var name: String { word.name }
  /// The words in front of its further operands, as `release`.
  public var jointWords: [String] { comparing?.joints.compactMap(\.word) ?? [] }

  init(
    _ name: String, _ level: Level, _ operand: Operand, _ tail: String, rule: String, _ meaning: String,
    example: String
  ) {
    self.init(name, level, operand, tail, rule: rule, meaning, example: example, comparing: nil)
  }

  /// An operator that compares its first operand with the others.
  init(
    _ name: String, _ joints: [Joint], rule: String, _ meaning: String, example: String,
    check: @escaping Check
  ) {
    let tail = joints.map { joint in
      let text = (joint.word.map { "\"\($0)\" " } ?? "") + "sum"
      return joint.isOptional ? "[ \(text) ]" : text
    }
    self.init(
      name, .comparison, .alike, tail.joined(separator: " "), rule: rule, meaning, example: example,
      comparing: Comparing(joints: joints, check: check))
  }

  private init(
    _ name: String, _ level: Level, _ operand: Operand, _ tail: String, rule: String, _ meaning: String,
    example: String, comparing: Comparing?
  ) {
    let left = level == .not ? "" : "\(Self.left(of: level)) "
    let words = name.split(separator: " ").map { "\"\($0)\"" }.joined(separator: " ")
    word = LanguageWord(
      kind: .operator, name: name, form: "\(left)\(words) \(tail)", rule: rule, meaning: meaning,
      example: .condition(example))
    self.level = level
    self.operand = operand
    self.tail = tail
    self.comparing = comparing
  }

  private static func left(of level: Level) -> String {
    switch level {
    case .expression: "or"
    case .or: "and"
    case .and: "temporal"
    case .temporal: "not"
    case .not: "not"
    case .comparison: "sum"
    case .sum: "term"
    case .term: "factor"
    }
  }
}
