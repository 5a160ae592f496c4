public import StintModel
public import StintUnits

/// An expression with a type. Conditions have three values: true, false and unknown (Kleene logic).
public struct CheckedExpression: Hashable, Sendable {
  /// The operation of an expression and its operands.
  public indirect enum Kind: Hashable, Sendable {
    /// A number in base units, a Boolean value, the index of a symbol, or unknown for a fact of a missing
    /// device. A parameter also becomes a constant, and so does arithmetic whose operands are all constant.
    case constant(FactValue)
    /// The value of a fact, given by its full path.
    case fact(String)
    case not(CheckedExpression)
    /// True when all of two or more operands are true.
    case and([CheckedExpression])
    /// True when at least one of two or more operands is true.
    case or([CheckedExpression])
    case implies(CheckedExpression, CheckedExpression)
    case compare(Comparison, CheckedExpression, CheckedExpression)
    /// A comparison with hysteresis.
    ///
    /// The comparison becomes true when `value` is below (or above) `threshold`, and false when `value` is
    /// above (or below) `release`. Between the limits, the comparison keeps its state, which is false at
    /// first. Both limits are expressions without state. While the value or a limit is unknown, the result is
    /// unknown and the state does not change.
    case latch(LatchSide, value: CheckedExpression, threshold: CheckedExpression, release: CheckedExpression)
    /// True when the value equals one of these values.
    case oneOf(CheckedExpression, [FactValue])
    /// True while local time is inside the policy's schedule with this index.
    case inSchedule(Int)
    /// True when the operand has been true for the whole span. An interval of at most `tolerate` in which the
    /// operand is unknown counts as true, if the operand was true before the interval.
    case heldFor(CheckedExpression, TimeSpan, tolerate: TimeSpan?)
    /// True when the operand was true at any time during the span before now.
    case inLast(CheckedExpression, TimeSpan)
    case arithmetic(Arithmetic, CheckedExpression, CheckedExpression)
    case negate(CheckedExpression)
    /// True when the fact has a value that has not reached its maximum age; never unknown.
    case known(String)
    /// A comparison of the age of a fact with a span, by `<`, `<=`, `>` or `>=`. The result is unknown before
    /// the first value of the fact.
    case age(String, Comparison, TimeSpan)
    /// True while a demand on the device exists, granted or not. For a sensor, also true while it lingers, or
    /// while it is on for a demand that names another device. Never unknown.
    case demanded(DeviceID)
    /// A statistic over the values of a fact during the span before now; unknown when there are too few
    /// values.
    case window(WindowFunction, fact: String, TimeSpan)
  }

  /// The operation and its operands.
  public var kind: Kind
  /// The type of the value.
  public var type: FactType
  /// The position of the expression in its source file.
  public var span: SourceSpan

  /// Creates an expression.
  public init(kind: Kind, type: FactType, span: SourceSpan) {
    self.kind = kind
    self.type = type
    self.span = span
  }
}
