public import StintUnits

/// Exponential back-off: 1 s after the first failure, then twice the previous delay, up to a limit.
public struct RetryDelay: Hashable, Sendable {
  /// The longest delay.
  public let limit: TimeSpan
  private var next: TimeSpan

  /// Makes a back-off that begins at 1 s, or at the limit when the limit is shorter.
  public init(limit: TimeSpan) {
    self.limit = limit
    next = min(.seconds(1), limit)
  }

  /// Returns the delay after a failed attempt and doubles the next delay.
  public mutating func failed() -> TimeSpan {
    defer { next = min(next.times(2, capped: limit), limit) }
    return next
  }

  /// Resets the delay after a successful attempt.
  public mutating func succeeded() { next = min(.seconds(1), limit) }
}
