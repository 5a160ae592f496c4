import StintModel
import StintUnits

/// What an inertial sensor makes of the world: its channels, in the order of its manifest.
enum InertialQuantity: Sendable {
  /// Degrees a second about each axis.
  case rotation
  /// Microtesla along each axis.
  case magneticField
  /// Roll, pitch and yaw in degrees, and the force without gravity in metres a second squared.
  case fused

  /// The field of the Earth in the middle latitudes: across and down, in microtesla.
  private static let field = (across: 21.0, down: 43.0)

  /// One sample; chance decides how a stride turns and shakes the phone.
  func sample(_ state: WorldState, _ noise: Noise, at instant: Instant) -> SIMD4<Double> {
    let gait = Gait.of(state.activity)
    func chance(_ salt: UInt64) -> Double { 2 * noise.uniform(instant, salt: salt) - 1 }
    let sway = gait.strength + gait.noise
    switch self {
    case .rotation:
      return SIMD4(8 * sway * chance(1), 5 * sway * chance(2), 3 * sway * chance(3), 0)
    case .magneticField:
      let heading = state.heading ?? 0
      return SIMD4(
        Self.field.across * sine(degrees: heading) + 0.3 * chance(1),
        Self.field.across * sine(degrees: heading + 90) + 0.3 * chance(2),
        -Self.field.down + 0.3 * chance(3), 0)
    case .fused:
      return SIMD4(
        2 * sway * chance(1), 2 * sway * chance(2), (state.heading ?? 0) + sway * chance(3),
        abs(sway * chance(4)))
    }
  }
}
