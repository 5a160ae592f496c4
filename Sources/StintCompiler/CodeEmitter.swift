import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Compiles the expressions of one rule to branch-free code.
struct CodeEmitter {
  let rule: RuleID
  /// The index in the image of the first schedule of the rule's policy.
  let firstSchedule: Int
  private var code: [Instruction] = []

  init(rule: RuleID, firstSchedule: Int) {
    self.rule = rule
    self.firstSchedule = firstSchedule
  }

  /// Appends the code of an expression to the image and returns its range.
  mutating func emit(_ expression: CheckedExpression, into builder: inout ImageBuilder) -> Range<Int> {
    code.removeAll()
    lower(expression, &builder)
    let start = builder.image.code.count
    builder.image.code += code
    return start..<builder.image.code.count
  }

  private mutating func lower(_ expression: CheckedExpression, _ builder: inout ImageBuilder) {
    switch expression.kind {
    case .constant(let value): lower(value, &builder)
    case .fact(let path): code.append(.fact(builder.fact(path)))
    case .known(let path): code.append(.known(builder.fact(path)))
    case .demanded(let device): code.append(.demanded(builder.device(device)))
    case .inSchedule(let index): code.append(.schedule(firstSchedule + index))
    case .age(let path, let comparison, let span):
      code.append(.age(builder.fact(path), comparison, span: builder.span(span)))
    case .not(let operand): lower([operand], .not, &builder)
    case .negate(let operand): lower([operand], .negate, &builder)
    case .and(let operands): chain(operands, .and, &builder)
    case .or(let operands): chain(operands, .or, &builder)
    case .implies(let left, let right):
      lower([left], .not, &builder)
      lower([right], .or, &builder)
    case .compare(let comparison, let left, let right): lower(comparison, left, right, &builder)
    case .arithmetic(let operation, let left, let right):
      lower([left, right], .arithmetic(operation), &builder)
    case .oneOf(let operand, let values): lower(operand, oneOf: values, &builder)
    case .latch(let side, let value, let threshold, let release):
      let slot = builder.slot(.latch(side), expression, rule: rule, firstSchedule: firstSchedule)
      lower([value, threshold, release], .latch(slot), &builder)
    case .heldFor(let operand, let span, let tolerate):
      let slot = builder.slot(
        .heldFor(span, tolerate: tolerate), expression, rule: rule, firstSchedule: firstSchedule)
      lower([operand], .heldFor(slot), &builder)
    case .inLast(let operand, let span):
      lower(
        [operand], .inLast(builder.slot(.inLast(span), expression, rule: rule, firstSchedule: firstSchedule)),
        &builder)
    case .window(let function, let path, let span):
      let kind = ImageSlot.Kind.window(
        function, fact: builder.fact(path), span, capacity: builder.capacity(path, span))
      code.append(.window(builder.slot(kind, expression, rule: rule, firstSchedule: firstSchedule)))
    }
  }

  private mutating func lower(
    _ operands: [CheckedExpression], _ instruction: Instruction, _ builder: inout ImageBuilder
  ) {
    for operand in operands { lower(operand, &builder) }
    code.append(instruction)
  }

  /// Compiles a comparison. The comparison of a fact with a constant needs only one instruction.
  private mutating func lower(
    _ comparison: Comparison, _ left: CheckedExpression, _ right: CheckedExpression,
    _ builder: inout ImageBuilder
  ) {
    if case .fact(let path) = left.kind, case .constant(let value) = right.kind,
      let number = Self.number(value)
    {
      let fact = builder.fact(path)
      code.append(.compareFact(fact, comparison, constant: builder.constant(number)))
    } else {
      lower([left, right], .compare(comparison), &builder)
    }
  }

  private mutating func chain(
    _ operands: [CheckedExpression], _ instruction: Instruction, _ builder: inout ImageBuilder
  ) {
    for (place, operand) in operands.enumerated() {
      lower(operand, &builder)
      if place > 0 { code.append(instruction) }
    }
  }

  /// Compiles a membership test. Its values are contiguous in the constants, so they are appended even when
  /// equal constants exist.
  private mutating func lower(
    _ operand: CheckedExpression, oneOf values: [FactValue], _ builder: inout ImageBuilder
  ) {
    lower(operand, &builder)
    let first = builder.image.constants.count
    builder.image.constants += values.compactMap(Self.number)
    code.append(.oneOf(first: first, count: builder.image.constants.count - first))
  }

  /// Compiles a constant. The unknown constant is 0 / 0, which the rule VM evaluates to unknown.
  private mutating func lower(_ value: FactValue, _ builder: inout ImageBuilder) {
    if let number = Self.number(value) {
      code.append(.constant(builder.constant(number)))
    } else {
      let zero = builder.constant(0)
      code += [.constant(zero), .constant(zero), .arithmetic(.divide)]
    }
  }

  private static func number(_ value: FactValue) -> Double? {
    switch value {
    case .unknown: nil
    case .boolean(let truth): truth ? 1 : 0
    case .number(let number): number
    case .symbol(let index): Double(index)
    }
  }
}
