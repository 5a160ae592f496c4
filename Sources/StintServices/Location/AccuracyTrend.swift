public import StintUnits

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
