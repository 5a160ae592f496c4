import StintModel
public import StintUnits

/// A timer that measures how long a request has been without a good fix, and counts the failed attempts.
struct AttemptTimer: Hashable, Sendable {
  /// The instant from which the length of the attempt is measured. It is the start of the attempt, or the
  /// instant at which the last good fix stops being fresh. The second instant may be in the future. Nil
  /// without an attempt.
  private(set) var since: Instant?
  private(set) var failures = 0
  /// True when any fix has arrived since the last call of `begin`.
  private(set) var hasFix = false

  mutating func begin(at instant: Instant) {
    since = instant
    hasFix = false
  }

  /// Ends the attempt.
  mutating func end() { since = nil }

  /// Records a fix. A good fix is fresh for the time `lasting`; after this time, the attempt begins again.
  mutating func fixArrived(isGood: Bool, at instant: Instant, lasting: TimeSpan) {
    hasFix = true
    guard isGood else { return }
    since = instant + lasting
    failures = 0
  }

  mutating func extend(by span: TimeSpan) { since = since.map { $0 + span } }

  /// Records the failure of the attempt.
  mutating func fail() {
    failures += 1
    since = nil
  }
}

/// The times after which updates without a good fix are suspended and tried again.
public struct RetrySchedule: Hashable, Sendable {
  /// The length of one attempt.
  public var attemptDuration: Duration
  /// The first wait between attempts; each further wait is twice the previous wait.
  public var wait: Duration
  /// The longest wait between two attempts.
  public var longestWait: Duration
  /// Whether movement after a standstill starts an attempt at once.
  public var wakesOnMotion: Bool

  /// Makes a schedule.
  public init(
    attemptDuration: Duration = .minutes(2), wait: Duration = .minutes(5), longestWait: Duration = .hours(1),
    wakesOnMotion: Bool = false
  ) {
    self.attemptDuration = attemptDuration
    self.wait = wait
    self.longestWait = longestWait
    self.wakesOnMotion = wakesOnMotion
  }

  /// Returns the wait after a number of failed attempts. The number must be at least 1.
  package func wait(after failures: Int) -> TimeSpan {
    let longestWait = longestWait.timeSpan
    var wait = min(wait.timeSpan, longestWait)
    for _ in 1..<max(failures, 1) where wait < longestWait { wait = wait.times(2, capped: longestWait) }
    return wait
  }

  /// The reason to reject the schedule; nil when it is valid.
  var rejectionReason: String? {
    let times = [
      (attemptDuration, "the length of an attempt"), (wait, "the first wait"),
      (longestWait, "the longest wait"),
    ]
    for (time, subject) in times {
      if let reason = InputBounds.rejectionReason(for: time, subject, .period) { return reason }
    }
    return longestWait < wait
      ? "the longest wait \(longestWait.timeSpan) is shorter than the first \(wait.timeSpan)" : nil
  }
}

/// The trend of the accuracy: the slope of a straight line through the radii of recent fixes.
///
/// The trend uses the times at which fixes were taken. So the order and batching of delivery make no
/// difference, and a duplicate counts once.
package struct AccuracyTrend: Hashable, Sendable {
  /// The result of the trend.
  package enum Verdict: Hashable, Sendable {
    /// Fewer than three fixes.
    case undecided
    case improving
    /// The accuracy improves too little, is constant or becomes worse.
    case flat
  }

  private struct Point: Hashable {
    var instant: Instant
    var metres: Double
  }

  private let span: TimeSpan
  /// The fixes in order of time.
  private var points: [Point] = []

  /// Makes a trend over a time span.
  package init(over span: TimeSpan = LocationDefaults.trendSpan) { self.span = span }

  /// Adds a fix with its 95 % radius in metres.
  package mutating func add(_ metres: Double, at instant: Instant) {
    let place = points.lastIndex { $0.instant <= instant }.map { $0 + 1 } ?? 0
    if place > 0, points[place - 1].instant == instant { return }
    points.insert(Point(instant: instant, metres: metres), at: place)
    guard let newest = points.last?.instant else { return }
    points.removeAll { newest - $0.instant > span }
  }

  /// Removes all fixes.
  package mutating func restart() { points.removeAll(keepingCapacity: true) }

  /// The result for the fixes of the span that ends with the newest fix.
  package var verdict: Verdict {
    guard points.count >= 3, let first = points.first, let last = points.last else { return .undecided }
    let count = Double(points.count)
    let times = points.map { ($0.instant - first.instant).seconds }
    let meanTime = times.reduce(0, +) / count
    let meanRadius = points.reduce(0) { $0 + $1.metres } / count
    var product = 0.0
    var square = 0.0
    for (time, point) in zip(times, points) {
      product += (time - meanTime) * (point.metres - meanRadius)
      square += (time - meanTime) * (time - meanTime)
    }
    let gained = product / square * (last.instant - first.instant).seconds
    return gained <= -LocationDefaults.improvement ? .improving : .flat
  }
}
