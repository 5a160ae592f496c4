import StintModel
import StintUnits

/// A condition of an image as a tree. Facts and slots are indexes into the image.
indirect enum NeedTerm: Hashable, Sendable {
  case constant(Double)
  case fact(Int)
  case known(Int)
  case age(Int, Comparison, TimeSpan)
  /// The index of a device of the image.
  case demanded(Int)
  case schedule(Int)
  case window(fact: Int, slot: Int)
  /// The number of values in a window, also per second. It only observes the fact.
  case valueCount(fact: Int, slot: Int)
  case not(NeedTerm)
  case and([NeedTerm])
  case or([NeedTerm])
  case compare(Comparison, NeedTerm, NeedTerm)
  case arithmetic(Arithmetic, NeedTerm, NeedTerm)
  case negate(NeedTerm)
  case oneOf(NeedTerm, [Double])
  case latch(Int, value: NeedTerm, threshold: NeedTerm, release: NeedTerm)
  case heldFor(Int, NeedTerm)
  case inLast(Int, NeedTerm)

  /// Converts verified code into a tree; nil for empty code.
  init?(_ code: Range<Int>, of image: Image) {
    var stack: [NeedTerm] = []
    for place in code {
      let term = Self.term(image.code[place], &stack, image)
      stack.append(term)
    }
    guard let last = stack.last else { return nil }
    self = last
  }

  private static func term(_ instruction: Instruction, _ stack: inout [NeedTerm], _ image: Image) -> NeedTerm
  {
    func pop() -> NeedTerm { stack.popLast() ?? .constant(.nan) }
    switch instruction {
    case .constant(let index): return .constant(image.constants[index])
    case .fact(let fact): return .fact(fact)
    case .known(let fact): return .known(fact)
    case .age(let fact, let comparison, let span): return .age(fact, comparison, image.spans[span])
    case .demanded(let device): return .demanded(device)
    case .schedule(let index): return .schedule(index)
    case .window(let slot):
      guard case .window(let function, let fact, _, _) = image.slots[slot].kind else {
        return .constant(.nan)
      }
      return function.countsValues ? .valueCount(fact: fact, slot: slot) : .window(fact: fact, slot: slot)
    case .compareFact(let fact, let comparison, let constant):
      return .compare(comparison, .fact(fact), .constant(image.constants[constant]))
    case .not: return .not(pop())
    case .and:
      let right = pop()
      return .and(pop().operands(ofAnd: true) + right.operands(ofAnd: true))
    case .or:
      let right = pop()
      return .or(pop().operands(ofAnd: false) + right.operands(ofAnd: false))
    case .compare(let comparison):
      let right = pop()
      return .compare(comparison, pop(), right)
    case .arithmetic(let operation):
      let right = pop()
      return .arithmetic(operation, pop(), right)
    case .negate: return .negate(pop())
    case .oneOf(let first, let count): return .oneOf(pop(), Array(image.constants[first..<(first + count)]))
    case .latch(let slot):
      let release = pop()
      let threshold = pop()
      return .latch(slot, value: pop(), threshold: threshold, release: release)
    case .heldFor(let slot): return .heldFor(slot, pop())
    case .inLast(let slot): return .inLast(slot, pop())
    }
  }

  private func operands(ofAnd isAnd: Bool) -> [NeedTerm] {
    switch self {
    case .and(let operands) where isAnd: operands
    case .or(let operands) where !isAnd: operands
    default: [self]
    }
  }

  /// The direct operands of the term.
  var operands: [NeedTerm] {
    switch self {
    case .constant, .fact, .known, .age, .demanded, .schedule, .window, .valueCount: []
    case .not(let operand), .negate(let operand), .oneOf(let operand, _), .heldFor(_, let operand),
      .inLast(_, let operand):
      [operand]
    case .and(let operands), .or(let operands): operands
    case .compare(_, let left, let right), .arithmetic(_, let left, let right): [left, right]
    case .latch(_, let value, let threshold, let release): [value, threshold, release]
    }
  }

  /// The facts that the term reads, each as often as it occurs.
  var facts: [Int] {
    switch self {
    case .fact(let fact), .known(let fact), .age(let fact, _, _), .window(let fact, _),
      .valueCount(let fact, _):
      [fact]
    default: operands.flatMap(\.facts)
    }
  }
}
