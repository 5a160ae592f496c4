import StintUnits

/// An operator of conditions: its precedence, its syntax, and the check of a comparison that is written as a
/// word.
public struct OperatorDefinition: Sendable {
  /// The precedence of an operator, from low to high. Each case is a production of `grammar/stint.ebnf`.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    case expression, or, and, temporal, not, comparison, sum, term
  }

  /// The kind of operand that follows the operator.
  public enum Operand: Hashable, Sendable {
    case condition, number, time, word
    /// A value that has the type of the left side.
    case alike
  }

  /// An operand of a comparison that is written as a word, such as `between`. The left side is not included.
  struct Joint: Sendable {
    /// The word before the operand; nil when the operator itself precedes the operand.
    var word: String?
    var isOptional = false
  }

  typealias Check = @Sendable (inout PolicyChecker, [SyntaxExpression], SourceSpan) -> CheckedExpression?

  /// The syntax and the check of a comparison that is written as a word.
  struct Comparing: Sendable {
    var joints: [Joint]
    var check: Check
  }

  /// The name, form and meaning of the operator.
  public let word: LanguageWord
  /// The precedence of the operator.
  public let level: Level
  /// The kind of operand that follows the operator.
  public let operand: Operand
  /// The part of the grammar's production after the operator.
  public let tail: String
  /// The comparison that is written as a word; nil for operators that the parser handles itself.
  let comparing: Comparing?

  /// The operator as written in a policy.
  public var name: String { word.name }
  /// The words that separate the operands after the operator, such as `release`.
  public var jointWords: [String] { comparing?.joints.compactMap(\.word) ?? [] }

  /// Returns the word of an operand that may be omitted; nil for other operands. The left side is operand 0.
  package func optionalWord(ofOperand number: Int) -> String? {
    guard let joints = comparing?.joints, joints.indices.contains(number - 1) else { return nil }
    return joints[number - 1].isOptional ? joints[number - 1].word : nil
  }

  init(
    _ name: String, _ level: Level, _ operand: Operand, _ tail: String, rule: String, _ meaning: String,
    example: String
  ) {
    self.init(name, level, operand, tail, rule: rule, meaning, example: example, comparing: nil)
  }

  /// Creates a comparison of the first operand with the operands that follow.
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
