/// A counter of one repeated error, which limits how often the error is reported.
public struct ComplaintCount: Hashable, Sendable {
  /// The number of counted errors.
  public private(set) var count = 0

  /// Makes a count of 0.
  public init() {}

  /// Counts one more error. Returns true for the 1st, 2nd, 4th, 8th error and so on; only these are reported.
  public mutating func shouldReport() -> Bool {
    count += 1
    return count & (count - 1) == 0
  }
}
