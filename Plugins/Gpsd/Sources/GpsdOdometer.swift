import StintUnits

/// The travelled distance in metres: the integral of the measured speeds. When no speed is known, or after a
/// gap of more than a minute, the straight distance is added instead.
struct GpsdOdometer {
  private static let longestStep = TimeSpan.seconds(60)

  private(set) var metres = 0.0
  private var last: (place: Coordinate, at: Instant)?

  mutating func advance(to place: Coordinate, speed: Double?, at instant: Instant) {
    if let last {
      let step = instant - last.at
      if let speed, step <= Self.longestStep {
        metres += speed * Double(step.nanoseconds) / 1_000_000_000
      } else {
        metres += last.place.distance(to: place)
      }
    }
    last = (place, instant)
  }
}
