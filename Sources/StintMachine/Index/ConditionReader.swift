import StintModel

/// Converts the code of a condition into a `Condition`.
struct ConditionReader {
  /// A value on the stack during the conversion.
  private enum Item {
    case constant(Double)
    /// The value of an input that is not yet compared or used by a logical operator. An input is a fact, or
    /// the demand state of a device. `isNegated` means 1 minus the value.
    case source(Int, isNegated: Bool)
    case condition(Condition)
  }

  private let image: Image
  private var stack: [Item] = []

  private init(_ image: Image) { self.image = image }

  /// Returns the condition of code that consists of tests of single sources. Returns nil for all other code,
  /// for example code with state, arithmetic or time, a comparison of two facts, or constant code.
  static func condition(of code: Range<Int>, in image: Image) -> Condition? {
    var reader = ConditionReader(image)
    for place in code where !reader.read(image.code[place]) { return nil }
    return reader.popCondition(isAlternative: false)
  }

  private mutating func read(_ instruction: Instruction) -> Bool {
    switch instruction {
    case .constant(let index): stack.append(.constant(image.constants[index]))
    case .fact(let fact): stack.append(.source(fact, isNegated: false))
    case .demanded(let device): push(image.facts.count + device, .compare(.notEqual, 0))
    case .known(let fact): push(fact, .known)
    case .compareFact(let fact, let comparison, let constant):
      push(fact, .compare(comparison, image.constants[constant]))
    case .not: return negate()
    case .and, .or: return join(instruction)
    case .compare(let comparison): return compare(comparison)
    case .oneOf(let first, let count):
      guard case .source(let source, false)? = stack.popLast() else { return false }
      push(source, .oneOf(Array(image.constants[first..<(first + count)])))
    case .age, .schedule, .window, .arithmetic, .negate, .latch, .heldFor, .inLast: return false
    }
    return true
  }

  private mutating func push(_ source: Int, _ test: ValueTest) {
    stack.append(.condition(.test(Literal(source: source, test: test))))
  }

  private mutating func negate() -> Bool {
    switch stack.popLast() {
    case .condition(let condition): stack.append(.condition(condition.negated))
    case .source(let source, false): stack.append(.source(source, isNegated: true))
    default: return false
    }
    return true
  }

  private mutating func join(_ instruction: Instruction) -> Bool {
    let isAlternative = instruction == .or
    guard let right = popCondition(isAlternative: isAlternative),
      let left = popCondition(isAlternative: isAlternative)
    else { return false }
    stack.append(.condition(isAlternative ? .or(left, right) : .and(left, right)))
    return true
  }

  private mutating func compare(_ comparison: Comparison) -> Bool {
    switch (stack.popLast(), stack.popLast()) {
    case (.constant(let limit), .source(let source, false)): push(source, .compare(comparison, limit))
    case (.source(let source, false), .constant(let limit)):
      push(source, .compare(comparison.mirrored, limit))
    default: return false
    }
    return true
  }

  /// Pops the top value as a condition; nil when the top value cannot be a condition. A number without a
  /// comparison counts as true when it is 1 (operand of `or`) or when it is not 0 (elsewhere).
  private mutating func popCondition(isAlternative: Bool) -> Condition? {
    switch stack.popLast() {
    case .condition(let condition): return condition
    case .source(let source, let isNegated):
      let test: ValueTest =
        isAlternative ? .compare(.equal, isNegated ? 0 : 1) : .compare(.notEqual, isNegated ? 1 : 0)
      return .test(Literal(source: source, test: test))
    default: return nil
    }
  }
}
