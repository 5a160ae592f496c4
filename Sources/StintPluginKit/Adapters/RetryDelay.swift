public import StintUnits

/// How long to wait before the next try: a second, then twice as long each time, up to a limit.
public struct RetryDelay: Hashable, Sendable {
  public let limit: TimeSpan
  private var next: TimeSpan

  /// Begins at a second, or at the limit where that is shorter.
  public init(limit: TimeSpan) {
    self.limit = limit
    next = min(.seconds(1), limit)
  }

  /// The wait after a try that failed.
  public mutating func failed() -> TimeSpan {
    defer { next = min(next.times(2, capped: limit), limit) }
    return next
  }

  /// A try came through; the next failure begins at a second again.
  public mutating func succeeded() { next = min(.seconds(1), limit) }
}
