public import StintUnits

/// For how long what was asked has not been had, and how often it was given up.
struct AttemptTimer: Hashable, Sendable {
  /// Since when there is no good fix; nil while nothing is asked.
  private(set) var since: Instant?
  private(set) var failures = 0
  /// Whether any fix came since then.
  private(set) var hasFix = false

  /// It is tried now.
  mutating func begin(at instant: Instant) {
    since = instant
    hasFix = false
  }

  /// It is not tried.
  mutating func end() { since = nil }

  /// A fix came; a good one counts until it is too old.
  mutating func fixArrived(isGood: Bool, at instant: Instant, lasting: TimeSpan) {
    hasFix = true
    guard isGood else { return }
    since = instant + lasting
    failures = 0
  }

  /// It is looked at again a little later.
  mutating func extend(by span: TimeSpan) { since = since.map { $0 + span } }

  /// It was given up.
  mutating func fail() {
    failures += 1
    since = nil
  }
}

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
  var rejectionReason: String? {
    if patience <= .zero { return "trying for \(patience) is no trying" }
    if wait <= .zero { return "waiting for \(wait) is no waiting" }
    return longestWait < wait ? "the longest wait \(longestWait) is shorter than the first \(wait)" : nil
  }
}

/// Whether accuracy is getting better: the fall of a straight line through the radii of the last while.
///
/// It looks at when fixes were taken, so the order and the batches in which they come make no difference, and a fix
/// that comes twice counts once.
public struct AccuracyTrend: Hashable, Sendable {
  /// What can be said.
  public enum Verdict: Hashable, Sendable {
    /// Fewer than three fixes.
    case undecided
    case improving
    /// Steady, or getting worse.
    case flat
  }

  private struct Point: Hashable {
    var instant: Instant
    var metres: Double
  }

  private let span: TimeSpan
  /// In the order of time.
  private var points: [Point] = []

  /// A trend over this span.
  public init(over span: TimeSpan = LocationDefaults.trendSpan) { self.span = span }

  /// Takes in a fix with its 95 % radius in metres.
  public mutating func add(_ metres: Double, at instant: Instant) {
    let place = points.lastIndex { $0.instant <= instant }.map { $0 + 1 } ?? 0
    if place > 0, points[place - 1].instant == instant { return }
    points.insert(Point(instant: instant, metres: metres), at: place)
    guard let newest = points.last?.instant else { return }
    points.removeAll { newest - $0.instant > span }
  }

  /// Forgets all.
  public mutating func restart() { points.removeAll(keepingCapacity: true) }

  /// What the fixes of the last span say.
  public var verdict: Verdict {
    guard points.count >= 3, let first = points.first, let last = points.last else { return .undecided }
    let count = Double(points.count)
    let times = points.map { ($0.instant - first.instant).seconds }
    let middle = times.reduce(0, +) / count
    let mean = points.reduce(0) { $0 + $1.metres } / count
    var product = 0.0
    var square = 0.0
    for (time, point) in zip(times, points) {
      product += (time - middle) * (point.metres - mean)
      square += (time - middle) * (time - middle)
    }
    let gained = product / square * (last.instant - first.instant).seconds
    return gained <= -LocationDefaults.improvement ? .improving : .flat
  }
}
