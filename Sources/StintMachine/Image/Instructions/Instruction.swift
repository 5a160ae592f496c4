// Generated from `InstructionSet.forms`: change that table, and a recording run of its test writes this file.
public import StintModel

/// One instruction of a condition.
///
/// Code is a straight line: operands are pushed, operators pop them and push one result. Truths are 1 and 0, words
/// are their index, unknown is NaN.
public enum Instruction: Hashable, Sendable {
  /// Pushes a constant.
  case constant(Int)
  /// Pushes the fresh value of one of the image's facts.
  case fact(Int)
  /// Pushes whether the fact has a fresh value; never unknown.
  case known(Int)
  /// Pushes how the fact's age compares with a span of the image.
  case age(Int, Comparison, span: Int)
  /// Pushes how a fact compares with a constant: the three commonest instructions in one.
  case compareFact(Int, Comparison, constant: Int)
  /// Pushes whether one of the image's devices is demanded; never unknown.
  case demanded(Int)
  /// Pushes whether local time lies in a schedule.
  case schedule(Int)
  /// Pushes the statistic of a window slot.
  case window(Int)
  /// Pops a truth; pushes its opposite.
  case not
  /// Pops two truths; pushes whether both hold: no as soon as one does not, even beside an unknown.
  case and
  /// Pops two truths; pushes whether one holds: yes as soon as one does, even beside an unknown.
  case or
  /// Pops two values; pushes how the deeper compares with the topmost.
  case compare(Comparison)
  /// Pops two numbers; pushes what they make, unknown where that is not finite: 0 / 0 is how unknown is written.
  case arithmetic(Arithmetic)
  /// Pops a number; pushes it with the other sign.
  case negate
  /// Pops a value; pushes whether it is one of `count` constants from `first` on.
  case oneOf(first: Int, count: Int)
  /// Pops release, threshold and value; pushes whether the latch slot is closed.
  case latch(Int)
  /// Pops a truth; pushes whether it held without a gap for the slot's span.
  case heldFor(Int)
  /// Pops a truth; pushes whether it was true in the slot's span up to now.
  case inLast(Int)

  /// The byte that begins it in a file.
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

  /// How many values it pops; it always pushes one.
  public var operands: Int {
    switch self {
    case .constant, .fact, .known, .age, .compareFact, .demanded, .schedule, .window: 0
    case .not, .negate, .oneOf, .heldFor, .inLast: 1
    case .and, .or, .compare, .arithmetic: 2
    case .latch: 3
    }
  }

  /// The numbers that it carries, in the order of its form; 0 for those that it has not.
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

  /// The instruction of these numbers; nil when no instruction has the opcode, or no operation the number.
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
