public import StintModel
import StintUnits

/// Writes checked conditions in the policy language, with the full paths of facts.
///
/// Brackets are written where the grammar requires them, and around nested `and`, `or`, `implies`, `for` and
/// `in last`. When the checker reads the string, it produces the original condition. There is one exception:
/// a `for` that counts only in a state of a machine is written without this state.
public struct ConditionText {
  /// The names of schedules, by their index in the conditions.
  private let schedules: [Int: String]

  /// Creates a writer with the names of schedules, by their index in the conditions.
  public init(schedules: [Int: String]) { self.schedules = schedules }

  /// Creates a writer for conditions of the policy with these schedules.
  public init(_ schedules: [CheckedSchedule]) {
    self.schedules = Dictionary(uniqueKeysWithValues: schedules.enumerated().map { ($0, $1.name) })
  }

  /// Returns the condition or value in the policy language.
  public func text(_ expression: CheckedExpression) -> String {
    switch expression.kind {
    case .constant(let value): text(value, expression.type)
    case .fact(let path): path
    case .not(let operand): "not \(part(operand, from: nil))"
    case .and(let operands): operands.map { part($0, from: .not) }.joined(separator: " and ")
    case .or(let operands): operands.map { part($0, from: .not) }.joined(separator: " or ")
    case .implies(let left, let right): "\(part(left, from: .not)) implies \(part(right, from: .not))"
    case .compare(let comparison, let left, let right):
      "\(side(left, like: right)) \(sign(comparison, left)) \(side(right, like: left))"
    case .latch(let side, let value, let threshold, let release):
      "\(part(value, from: .sum)) \(side.rawValue) \(self.side(threshold, like: value)) release "
        + self.side(release, like: value)
    case .oneOf(let operand, let values): choice(part(operand, from: .sum), values, operand.type)
    case .inSchedule(let index): "time in \(schedules[index] ?? "schedule \(index)")"
    case .heldFor(let operand, let span, let tolerate):
      "\(part(operand.countedInState ?? operand, from: .not)) for \(span)"
        + (tolerate.map { " tolerate \($0)" } ?? "")
    case .inLast(let operand, let span): "\(part(operand, from: .not)) in last \(span)"
    case .arithmetic(.smaller, let raised, let high):
      "clamp(\(raised.children.map(text).joined(separator: ", ")), \(text(high)))"
    case .arithmetic(let operation, let left, let right):
      "\(part(left, from: operation.level)) \(operation.rawValue) \(part(right, from: operation.level?.tighter))"
    case .negate(let operand): "-\(part(operand, from: nil))"
    case .known(let path): "known(\(path))"
    case .age(let path, let comparison, let span): "age(\(path)) \(comparison.rawValue) \(span)"
    case .demanded(let device): "demanded(\(device))"
    case .window(let function, let path, let span): "\(function.rawValue)(\(path), \(span))"
    }
  }

  /// Returns a value in the notation of its type, with a unit where the type has one.
  public func text(_ value: FactValue, _ type: FactType) -> String {
    FactSchema(path: "", type: type).text(of: value)
  }

  /// Returns a part, in brackets when its operator binds less tightly than the level. If the level is nil,
  /// every part with an operator gets brackets.
  private func part(_ operand: CheckedExpression, from level: OperatorDefinition.Level?) -> String {
    guard let own = operand.level else { return text(operand) }
    if let level, own >= level { return text(operand) }
    return "(\(text(operand)))"
  }

  /// Returns one side of a comparison. A constant symbol is an index; it is written as the word with this
  /// index in the type of the other side.
  private func side(_ operand: CheckedExpression, like other: CheckedExpression) -> String {
    guard case .constant(let value) = operand.kind, case .symbol = value else {
      return part(operand, from: .sum)
    }
    return text(value, other.type)
  }

  private func sign(_ comparison: Comparison, _ left: CheckedExpression) -> String {
    if comparison == .equal, case .symbol = left.type { return "is" }
    return comparison.rawValue
  }

  private func choice(_ operand: String, _ values: [FactValue], _ type: FactType) -> String {
    let words = values.map { text($0, type) }
    return words.count == 1 ? "\(operand) is \(words[0])" : "\(operand) in [\(words.joined(separator: ", "))]"
  }
}

extension CheckedExpression {
  /// The precedence of the operator; nil for a constant, a fact or a function call.
  fileprivate var level: OperatorDefinition.Level? {
    switch kind {
    case .constant, .fact, .known, .demanded, .window: nil
    case .implies: .expression
    case .or: .or
    case .and: .and
    case .heldFor, .inLast: .temporal
    case .not: .not
    case .compare, .latch, .oneOf, .inSchedule, .age: .comparison
    case .arithmetic(let operation, _, _): operation.level
    case .negate: .term
    }
  }
}

extension Arithmetic {
  fileprivate var level: OperatorDefinition.Level? {
    switch self {
    case .add, .subtract: .sum
    case .multiply, .divide: .term
    case .larger, .smaller: nil
    }
  }
}

extension OperatorDefinition.Level {
  /// The level that binds more tightly than `sum`; nil for all other levels.
  fileprivate var tighter: Self? { self == .sum ? .term : nil }
}

extension OperatorDefinition.Level: Comparable {
  /// Returns true when the left level binds less tightly.
  public static func < (left: Self, right: Self) -> Bool { left.precedence < right.precedence }

  private var precedence: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
