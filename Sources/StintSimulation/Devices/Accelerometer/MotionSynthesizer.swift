import StintModel
import StintUnits

/// Synthesizes the acceleration of an activity on three axes, in metres per second squared, including
/// gravity.
///
/// The axes are x to the right, y ahead, and z up. The acceleration consists of gravity, a force that rotates
/// with the steps at a slightly irregular pace, and noise.
struct MotionSynthesizer {
  /// A table of the sine over one turn, in 1024 steps. With the table, a sample needs no sine computation.
  private static let wave: [Double] = (0..<1024).map { sine(degrees: Double($0) * 360 / 1024) }
  /// The maximum deviation of strides from a regular pace, in turns.
  private static let maxDeviation = 0.1
  private static let gravity = 9.80665
  private static let second: Int64 = 1_000_000_000

  private let noise: Noise
  private let wave = Self.wave
  /// The start of the current second, within which the deviation is interpolated; in nanoseconds.
  private var secondStart = Int64.min
  private var secondOfDay = 0.0
  private var startDeviation = 0.0
  private var deviationSlope = 0.0

  init(_ noise: Noise) { self.noise = noise }

  mutating func sample(_ gait: Gait, at instant: Instant) -> SIMD3<Double> {
    if !(0..<Self.second ~= instant.nanoseconds &- secondStart) {
      move(to: instant.nanoseconds / Self.second)
    }
    let share = Double(instant.nanoseconds &- secondStart) * 1e-9
    let word = noise.bits(instant)
    let scale = gait.noise * 0x1p-20
    var result = SIMD3(
      Double(word & 0x1F_FFFF) * scale - gait.noise, Double(word >> 21 & 0x1F_FFFF) * scale - gait.noise,
      Self.gravity + Double(word >> 42 & 0x1F_FFFF) * scale - gait.noise)
    if gait.strength > 0 {
      // The second of the day replaces the absolute time, because the product is then small enough to be
      // exact. The replacement is possible because a day has a whole number of turns at each pace.
      let turns = gait.pace * (secondOfDay + share) + startDeviation + deviationSlope * share
      let step = Int(turns * 1024)
      result.y += gait.strength * wave[(step &+ 256) & 1023]
      result.z += gait.strength * wave[step & 1023]
    }
    return result
  }

  private mutating func move(to whole: Int64) {
    secondStart = whole * Self.second
    secondOfDay = Double(whole % 86_400)
    startDeviation = deviation(whole)
    deviationSlope = deviation(whole + 1) - startDeviation
  }

  private func deviation(_ whole: Int64) -> Double {
    Self.maxDeviation * Noise.unit(noise.bits(UInt64(bitPattern: whole), salt: 5))
  }
}

/// The movement of a phone for an activity: a rotating force with a constant strength and pace, and uniform
/// noise.
struct Gait: Hashable, Sendable {
  /// The amplitude of the force, in metres per second squared.
  var strength: Double
  /// The pace in turns per second.
  var pace: Double
  /// The bound of the noise on each axis: the noise lies within ± this value, in metres per second squared.
  var noise: Double

  static func of(_ activity: Activity) -> Gait {
    switch activity {
    case .still: Gait(strength: 0, pace: 0, noise: 0.05)
    case .walking: Gait(strength: 2.4, pace: 1.8, noise: 0.4)
    case .running: Gait(strength: 8, pace: 2.8, noise: 1)
    case .cycling: Gait(strength: 0.75, pace: 1.2, noise: 0.15)
    case .automotive: Gait(strength: 0.22, pace: 7.3, noise: 0.06)
    }
  }
}
