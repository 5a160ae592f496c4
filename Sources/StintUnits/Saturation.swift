/// Integer arithmetic that stops at the ends of its range instead of trapping.
///
/// Counts and amounts that depend on what a plugin, a file or a client says are worked out with these.
extension FixedWidthInteger {
  /// The sum, or the nearer end of the range where it does not fit.
  public func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearer end of the range where it does not fit.
  public func subtractingSaturated(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the nearer end of the range where it does not fit.
  public func multipliedSaturated(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) != (other < 0) ? .min : .max) : product
  }
}
