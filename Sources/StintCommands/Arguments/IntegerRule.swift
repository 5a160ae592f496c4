/// The range of an option whose value is an integer, and its default.
package struct IntegerRule: Hashable, Sendable {
  package var range: ClosedRange<UInt64>
  /// The value without the option; nil when the option has no default.
  package var fallback: UInt64?
  /// A possible value, for messages.
  package var example: UInt64

  /// The limits and the default, for help. An upper limit above 100,000,000 is omitted; a lower limit of 0 or
  /// 1 is then omitted too. Empty when there is neither a limit nor a default to print.
  var note: String {
    let hasLimit = range.upperBound <= 100_000_000
    let limits =
      switch (range.lowerBound, hasLimit) {
      case (0, false): ""
      case (0, true): "at most \(range.upperBound)"
      case (let least, false): least == 1 ? "" : "at least \(least)"
      case (let least, true): "\(least) to \(range.upperBound)"
      }
    let parts = [limits, fallback.map { "default: \($0)" } ?? ""].filter { !$0.isEmpty }
    return parts.joined(separator: "; ")
  }
}
