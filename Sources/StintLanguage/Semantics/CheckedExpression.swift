public import StintModel
public import StintUnits

/// A typed expression. Conditions are three-valued: true, false, unknown (Kleene).
public struct CheckedExpression: Hashable, Sendable {
  /// What the expression is.
  public indirect enum Kind: Hashable, Sendable {
    /// A number in base units, a truth or a word's index; parameters and folded constants too.
    case constant(FactValue)
    /// The value of a fact, by its whole path.
    case fact(String)
    case not(CheckedExpression)
    /// Two or more operands.
    case and([CheckedExpression])
    /// Two or more operands.
    case or([CheckedExpression])
    case implies(CheckedExpression, CheckedExpression)
    case compare(Comparison, CheckedExpression, CheckedExpression)
    /// True from `value` below (or above) `threshold` until it is above (below) `release`; between the two it
    /// keeps
    /// what it was, false at first. Both limits are expressions without state. Unknown value: unknown, state
    /// kept.
    case latch(LatchSide, value: CheckedExpression, threshold: CheckedExpression, release: CheckedExpression)
    /// True when the value is one of these.
    case oneOf(CheckedExpression, [FactValue])
    /// True while local time lies in the policy's schedule of this number.
    case inSchedule(Int)
    /// True when the operand has been true without a gap for the span; an unknown gap up to `tolerate` is no
    /// gap.
    case heldFor(CheckedExpression, TimeSpan, tolerate: TimeSpan?)
    /// True when the operand was true at any time in the span up to now.
    case inLast(CheckedExpression, TimeSpan)
    case arithmetic(Arithmetic, CheckedExpression, CheckedExpression)
    case negate(CheckedExpression)
    /// Whether the fact has a fresh value; never unknown.
    case known(String)
    /// Compares the age of a fact with a span; only `<`, `<=`, `>`, `>=`. Unknown before any value.
    case age(String, Comparison, TimeSpan)
    /// Whether a demand on the device stands, granted or not, or a sensor is on for one that it serves or has just
    /// served; never unknown.
    case demanded(DeviceID)
    /// A statistic over the values a fact took in the span up to now; unknown with too few of them.
    case window(WindowFunction, fact: String, TimeSpan)
  }

  public var kind: Kind
  public var type: FactType
  public var span: SourceSpan

  /// Makes an expression.
  public init(kind: Kind, type: FactType, span: SourceSpan) {
    self.kind = kind
    self.type = type
    self.span = span
  }
}
