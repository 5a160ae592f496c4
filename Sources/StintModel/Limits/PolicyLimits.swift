public import StintUnits

/// The limits of every policy, in one table for checker, compiler and verifier.
///
/// The checker reports policy text beyond a limit at its location. The verifier rejects an image beyond a
/// limit, whatever its origin. So a policy that the checker accepts can be compiled, verified and run.
public enum PolicyLimits {
  // MARK: Text

  /// The largest magnitude of a literal in base units: it fits in a 64-bit integer.
  public static let maxNumber = 1e18

  // MARK: Time

  /// The shortest period, `for`, window, deadline, delay or age: 1 ms.
  ///
  /// This span limits the wake-ups that a policy can cause: no rule wakes the governor more than once per
  /// span.
  public static let minSpan = TimeSpan.milliseconds(1)
  /// The longest span: 73 years, so that sums of a few spans fit in 64 bits of nanoseconds.
  public static let maxSpan = TimeSpan(nanoseconds: .max / 4)

  // MARK: One condition

  /// The largest number of values on the stack during the evaluation of an expression.
  public static let maxStackDepth = 64
  /// The deepest nesting of an expression, with its lets expanded.
  public static let maxNesting = 600
  /// The largest number of nodes in the expression tree of a condition, with its lets expanded.
  public static let maxExpressionNodes = 5000
  /// The largest number of values in one window.
  public static let maxWindowValues = 4096

  // MARK: All policies together

  /// The largest number of rules loaded together. The limit bounds the time of the checker, which compares
  /// each rule with every other rule.
  public static let maxRules = 4000
  /// The largest number of entries in each table of an image, such as instructions, facts or directives.
  public static let maxTableEntries = 1 << 20
  /// The largest number of values in all windows together. They take 64 MiB.
  public static let maxTotalWindowValues = 1 << 22

  /// Returns whether a span is within the limits for timers.
  public static func allows(_ span: TimeSpan) -> Bool { span >= minSpan && span <= maxSpan }
}
