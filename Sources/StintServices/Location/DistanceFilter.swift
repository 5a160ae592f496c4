import StintUnits

/// Lets a fix through when it lies far enough from the last that it let through.
struct DistanceFilter: Hashable, Sendable {
  /// Metres; nil lets every fix through.
  var metres: Double?
  private var last: Coordinate?

  /// The tolerance in metres: a distance that is short by this much still passes.
  private static let slack = 0.01

  init(metres: Double?) { self.metres = metres }

  /// Whether the fix is to be delivered; it is the new mark then.
  mutating func admits(_ place: Coordinate) -> Bool {
    if let metres, let last, last.distance(to: place) < metres - Self.slack { return false }
    last = place
    return true
  }
}
