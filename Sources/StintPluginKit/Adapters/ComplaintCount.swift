/// Counts what goes wrong again and again, so that a flood of nonsense is no flood of faults.
public struct ComplaintCount: Hashable, Sendable {
  /// How many there were.
  public private(set) var count = 0

  /// Counts from none.
  public init() {}

  /// Counts one more; true for the first, second, fourth, eighth: those are worth telling.
  public mutating func shouldReport() -> Bool {
    count += 1
    return count & (count - 1) == 0
  }
}
