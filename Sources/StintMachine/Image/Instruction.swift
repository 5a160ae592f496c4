public import StintModel

/// One instruction of a condition. Code is a straight line: operands are pushed, operators pop them and push
/// one
/// result. Truths are 1 and 0, words are their index, unknown is NaN.
public enum Instruction: Hashable, Sendable {
  /// Pushes a constant.
  case constant(Int)
  /// Pushes the fresh value of one of the image's facts.
  case fact(Int)
  /// Pushes whether the fact has a fresh value; never unknown.
  case known(Int)
  /// Pushes how the fact's age compares with a span of the image.
  case age(Int, Comparison, span: Int)
  /// Pushes whether one of the image's devices is demanded; never unknown.
  case demanded(Int)
  /// Pushes whether local time lies in a schedule.
  case schedule(Int)
  /// Pushes the statistic of a window slot.
  case window(Int)
  /// Pushes how a fact compares with a constant: the three commonest instructions in one.
  case compareFact(Int, Comparison, constant: Int)
  case not
  case and
  case or
  case compare(Comparison)
  case arithmetic(Arithmetic)
  case negate
  /// Pops a value; pushes whether it is one of `count` constants from `first` on.
  case oneOf(first: Int, count: Int)
  /// Pops release, threshold and value; pushes whether the latch slot is closed.
  case latch(Int)
  /// Pops a truth; pushes whether it held without a gap for the slot's span.
  case heldFor(Int)
  /// Pops a truth; pushes whether it was true in the slot's span up to now.
  case inLast(Int)

  /// How many values it pops; it always pushes one.
  public var operands: Int {
    switch self {
    case .constant, .fact, .known, .age, .demanded, .schedule, .window, .compareFact: 0
    case .not, .negate, .oneOf, .heldFor, .inLast: 1
    case .and, .or, .compare, .arithmetic: 2
    case .latch: 3
    }
  }
}
