import StintUnits

/// Errors of positions: even in all directions, within a radius in 95 of 100 cases.
struct PositionError {
  /// The radius that holds 95 % of the errors, in standard deviations of one axis, for the bell of `Noise`.
  private static let radiusInDeviations = 2.42

  private let noise: Noise

  init(_ noise: Noise) { self.noise = noise }

  /// A position as a device with this 95 % radius sees it.
  func seen(_ truth: Coordinate, radius: Double, at instant: Instant) -> Coordinate {
    let deviation = radius / Self.radiusInDeviations
    return truth.moved(
      north: deviation * noise.gaussian(instant, salt: 1), east: deviation * noise.gaussian(instant, salt: 2))
  }
}
