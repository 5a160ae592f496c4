public import StintUnits

/// The limits that every policy keeps, in one table that checker, compiler and verifier read.
///
/// The checker reports text beyond a limit at its place. The verifier refuses an image beyond a limit, wherever the
/// image came from. So what the checker accepts compiles, is verified and runs.
public enum PolicyLimits {
  // MARK: Text

  /// The largest value of a literal in base units, either side of zero: it fits in 64 bits as a whole number.
  public static let largestNumber = 1e18

  // MARK: Time

  /// The shortest span of a period, a `for`, a window, a deadline, a delay or an age: 1 ms.
  ///
  /// It bounds what a policy can ask of the processor: no rule has the governor wake more often than this.
  public static let shortestSpan = TimeSpan.milliseconds(1)
  /// The longest span: 73 years, so that a few of them never overflow 64 bits of nanoseconds.
  public static let longestSpan = TimeSpan(nanoseconds: .max / 4)

  // MARK: One condition

  /// How many values an expression holds at once while it is evaluated.
  public static let deepestStack = 64
  /// How deep expressions may nest, those of lets included.
  public static let deepestNesting = 600
  /// How many parts a condition may have, those of lets included.
  public static let maxParts = 5000
  /// How many values a window may keep.
  public static let largestWindow = 4096

  // MARK: All policies together

  /// How many rules may be loaded together. Each is compared with each.
  public static let mostRules = 4000
  /// How many entries each table of an image may have, such as instructions, facts or directives.
  public static let largestTable = 1 << 20
  /// How many values all windows may keep together: 64 MiB.
  public static let largestWindows = 1 << 22

  /// Whether a timer may wait for the span.
  public static func allows(_ span: TimeSpan) -> Bool { span >= shortestSpan && span <= longestSpan }
}
