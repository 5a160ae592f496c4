public import StintUnits

/// When updates that cannot have what they ask for are given up, and when they are tried again.
public struct RetrySchedule: Hashable, Sendable {
  /// How long it is tried at a time.
  public var patience: TimeSpan
  /// The first wait; each further one is twice the last.
  public var wait: TimeSpan
  public var longestWait: TimeSpan
  /// Whether movement after stillness tries at once.
  public var wakesOnMotion: Bool

  /// Makes a schedule.
  public init(
    patience: TimeSpan = .minutes(2), wait: TimeSpan = .minutes(5), longestWait: TimeSpan = .hours(1),
    wakesOnMotion: Bool = false
  ) {
    self.patience = patience
    self.wait = wait
    self.longestWait = longestWait
    self.wakesOnMotion = wakesOnMotion
  }

  /// The wait after the given number of failed attempts, at least one.
  public func wait(after failures: Int) -> TimeSpan {
    var wait = min(wait, longestWait)
    for _ in 1..<max(failures, 1) where wait < longestWait { wait = wait.times(2, capped: longestWait) }
    return wait
  }

  /// What is wrong with it; nil when nothing is.
  var objection: String? {
    if patience <= .zero { return "trying for \(patience) is no trying" }
    if wait <= .zero { return "waiting for \(wait) is no waiting" }
    return longestWait < wait ? "the longest wait \(longestWait) is shorter than the first \(wait)" : nil
  }
}
