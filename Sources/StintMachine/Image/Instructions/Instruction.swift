// Generated from `InstructionSet.forms` by InstructionSetTests when `STINT_RECORD` is 1.
public import StintModel

/// One instruction of a condition.
///
/// Code has no jumps. Operators pop their operands from the stack and push one result.
/// True is 1, false is 0, a symbol is its index, and unknown is NaN.
public enum Instruction: Hashable, Sendable {
  /// Pushes a constant.
  case constant(Int)
  /// Pushes the value of a fact; unknown when missing or too old.
  case fact(Int)
  /// Pushes whether the fact has a value that is not too old; never unknown.
  case known(Int)
  /// Pushes the result of comparing the age of a fact with a span.
  case age(Int, Comparison, span: Int)
  /// Pushes the result of comparing a fact with a constant; combines `fact`, `constant` and `compare`.
  case compareFact(Int, Comparison, constant: Int)
  /// Pushes whether a device is demanded, lingers or is on for another device's demand; never unknown.
  case demanded(Int)
  /// Pushes whether local time lies in a schedule.
  case schedule(Int)
  /// Pushes the statistic of a window slot.
  case window(Int)
  /// Pops a Boolean; pushes its opposite.
  case not
  /// Pops two Booleans; pushes whether both are true. False with an unknown gives false.
  case and
  /// Pops two Booleans; pushes whether at least one is true. True with an unknown gives true.
  case or
  /// Pops two values; pushes the result of comparing the deeper with the topmost.
  case compare(Comparison)
  /// Pops two numbers; pushes the result, or unknown when it is not finite, such as for 0 / 0.
  case arithmetic(Arithmetic)
  /// Pops a number; pushes its negation.
  case negate
  /// Pops a value; pushes whether it equals one of `count` constants from the given index on.
  case oneOf(first: Int, count: Int)
  /// Pops release, threshold and value; pushes true from passing the threshold until passing the release.
  case latch(Int)
  /// Pops a Boolean; pushes whether it was true for the slot's span; a tolerated unknown counts as true.
  case heldFor(Int)
  /// Pops a Boolean; pushes whether it was true at any time in the slot's span, which ends now.
  case inLast(Int)

  /// The first byte of the instruction in a file.
  public var opcode: UInt8 {
    switch self {
    case .constant: 1
    case .fact: 2
    case .known: 3
    case .age: 4
    case .compareFact: 5
    case .demanded: 6
    case .schedule: 7
    case .window: 8
    case .not: 16
    case .and: 17
    case .or: 18
    case .compare: 19
    case .arithmetic: 20
    case .negate: 21
    case .oneOf: 22
    case .latch: 32
    case .heldFor: 33
    case .inLast: 34
    }
  }

  /// The number of values that the instruction pops. Every instruction pushes one value.
  public var operands: Int {
    switch self {
    case .constant, .fact, .known, .age, .compareFact, .demanded, .schedule, .window: 0
    case .not, .negate, .oneOf, .heldFor, .inLast: 1
    case .and, .or, .compare, .arithmetic: 2
    case .latch: 3
    }
  }

  /// The operands in the order of the instruction's form; 0 for operands that it does not have.
  public var words: (Int, Int, Int) {
    switch self {
    case .constant(let a): (a, 0, 0)
    case .fact(let a): (a, 0, 0)
    case .known(let a): (a, 0, 0)
    case .age(let a, let b, let c): (a, b.number, c)
    case .compareFact(let a, let b, let c): (a, b.number, c)
    case .demanded(let a): (a, 0, 0)
    case .schedule(let a): (a, 0, 0)
    case .window(let a): (a, 0, 0)
    case .compare(let a): (a.number, 0, 0)
    case .arithmetic(let a): (a.number, 0, 0)
    case .oneOf(let a, let b): (a, b, 0)
    case .latch(let a): (a, 0, 0)
    case .heldFor(let a): (a, 0, 0)
    case .inLast(let a): (a, 0, 0)
    case .not, .and, .or, .negate: (0, 0, 0)
    }
  }

  /// Creates an instruction from its opcode and operands; nil for an unknown opcode or operation.
  public init?(opcode: UInt8, _ words: (Int, Int, Int)) {
    switch opcode {
    case 1: self = .constant(words.0)
    case 2: self = .fact(words.0)
    case 3: self = .known(words.0)
    case 4:
      guard let comparison = Comparison(number: words.1) else { return nil }
      self = .age(words.0, comparison, span: words.2)
    case 5:
      guard let comparison = Comparison(number: words.1) else { return nil }
      self = .compareFact(words.0, comparison, constant: words.2)
    case 6: self = .demanded(words.0)
    case 7: self = .schedule(words.0)
    case 8: self = .window(words.0)
    case 16: self = .not
    case 17: self = .and
    case 18: self = .or
    case 19:
      guard let comparison = Comparison(number: words.0) else { return nil }
      self = .compare(comparison)
    case 20:
      guard let arithmetic = Arithmetic(number: words.0) else { return nil }
      self = .arithmetic(arithmetic)
    case 21: self = .negate
    case 22: self = .oneOf(first: words.0, count: words.1)
    case 32: self = .latch(words.0)
    case 33: self = .heldFor(words.0)
    case 34: self = .inLast(words.0)
    default: return nil
    }
  }
}
