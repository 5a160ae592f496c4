import StintModel
import StintUnits

/// The mean position of a host at rest, from several fixes.
///
/// The weight of a fix is 1 divided by the square of its 95 % radius. The errors of fixes at one place are
/// correlated, so the radius of the mean is never less than half the radius of the best fix.
struct RestPosition: Hashable, Sendable {
  /// The mean with its 95 % radius, at the instant of the last fix.
  private(set) var mean: Fix
  private var weight: Double
  private var bestAccuracy: Double

  init(_ fix: Fix) {
    mean = fix
    weight = Self.weight(of: fix)
    bestAccuracy = fix.accuracy
  }

  /// Adds a fix. A fix that contradicts the mean replaces the mean, because the host has moved.
  mutating func ingest(_ fix: Fix) {
    guard mean.coordinate.distance(to: fix.coordinate) <= mean.accuracy + fix.accuracy else {
      self = RestPosition(fix)
      return
    }
    let share = Self.weight(of: fix)
    weight += share
    bestAccuracy = min(bestAccuracy, fix.accuracy)
    var next = fix
    next.coordinate = mean.coordinate.toward(fix.coordinate, fraction: share / weight)
    next.accuracy = max(1 / weight.squareRoot(), bestAccuracy / 2)
    mean = next
  }

  private static func weight(of fix: Fix) -> Double {
    let radius = max(fix.accuracy, 1)
    return 1 / (radius * radius)
  }
}
