import StintModel
import StintUnits

/// Makes three axes of acceleration (x across, y ahead, z up; metres a second squared, gravity included) out
/// of an activity: a force that turns with the steps, with a stride that is never quite even, and noise.
struct MotionSynthesizer {
  /// One turn in 1024 parts: the sine of each, so that a sample costs no sine.
  private static let wave: [Double] = (0..<1024).map { sine(degrees: Double($0) * 360 / 1024) }
  /// How far, in turns, strides stray from an even pace.
  private static let stray = 0.1
  private static let gravity = 9.80665
  private static let second: Int64 = 1_000_000_000

  private let noise: Noise
  private let wave = Self.wave
  /// Where the second that the stride strays in begins.
  private var knotStart = Int64.min
  private var knotTime = 0.0
  private var knotStray = 0.0
  private var knotSlope = 0.0

  init(_ noise: Noise) { self.noise = noise }

  /// The acceleration at an instant.
  mutating func sample(_ gait: Gait, at instant: Instant) -> SIMD3<Double> {
    if !(0..<Self.second ~= instant.nanoseconds &- knotStart) { move(to: instant.nanoseconds / Self.second) }
    let share = Double(instant.nanoseconds &- knotStart) * 1e-9
    let word = noise.bits(instant)
    let scale = gait.noise * 0x1p-20
    var result = SIMD3(
      Double(word & 0x1F_FFFF) * scale - gait.noise, Double(word >> 21 & 0x1F_FFFF) * scale - gait.noise,
      Self.gravity + Double(word >> 42 & 0x1F_FFFF) * scale - gait.noise)
    if gait.strength > 0 {
      // Whole turns do not matter: the pace times the second of the day stays small and exact enough.
      let turns = gait.pace * (knotTime + share) + knotStray + knotSlope * share
      let step = Int(turns * 1024)
      result.y += gait.strength * wave[(step &+ 256) & 1023]
      result.z += gait.strength * wave[step & 1023]
    }
    return result
  }

  private mutating func move(to whole: Int64) {
    knotStart = whole * Self.second
    knotTime = Double(whole % 86_400)
    knotStray = stray(whole)
    knotSlope = stray(whole + 1) - knotStray
  }

  private func stray(_ whole: Int64) -> Double {
    Self.stray * Noise.unit(noise.bits(UInt64(bitPattern: whole), salt: 5))
  }
}

/// How a way of moving shakes a phone: a turning force of one strength and pace, and even noise on top.
struct Gait: Hashable, Sendable {
  /// Metres a second squared.
  var strength: Double
  /// Turns a second.
  var pace: Double
  /// The noise of each axis lies within ± this.
  var noise: Double

  /// The gait of an activity.
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
