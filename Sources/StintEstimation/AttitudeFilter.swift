public import StintUnits

/// Computes the attitude of a device from its accelerometer and its gyroscope, and optionally its
/// magnetometer.
///
/// The filter integrates the rotation rates. The direction of the acceleration slowly corrects the tilt,
/// because it is the direction of gravity on average. So the tilt has no drift. Without a magnetometer,
/// nothing corrects the heading: its error grows with the error of the gyroscope, which the filter estimates
/// while the device rests.
///
/// This is the complementary filter of Mahony, Hamel and Pflimlin, “Nonlinear complementary filters on the
/// special orthogonal group”, 2008. An acceleration that differs from gravity has less weight or none.
///
/// All vectors have the axes of the device: for a phone, x points to the right, y to the top, and z out of
/// the screen. A device that lies face up measures the acceleration (0, 0, 9.8). Give the samples of all
/// sensors in the order of their instants. A sample that is more than half a second older than the last
/// rotation is ignored. The same samples give the same bits on every machine.
public struct AttitudeFilter: Sendable {
  /// The weight of the error of the tilt per second, as in the article, and the weight of its integral. In
  /// the article, the latter is 0.3. A hand-held device rocks in step with its accelerations; with 0.3, a
  /// synthetic walk of a minute then turns the heading by 46 degrees, and with 0.05 by 8 degrees.
  private static let (proportional, integral) = (1.0, 0.05)
  /// The first seconds, in which the gain is higher, and the gain at their beginning. The first acceleration
  /// may be that of a moving device.
  private static let (settling, settlingGain) = (3.0, 10.0)
  /// The acceleration of gravity, in m/s².
  public static let gravity = 9.80665
  /// The difference from gravity, in m/s², from which an acceleration has no weight.
  private static let largestDeviation = 2.0
  /// The largest error of the gyroscope that is corrected, in degrees per second on each axis. Sensors of
  /// phones have errors of up to about 3 degrees per second.
  private static let largestBias = 5.0
  /// The longest time between two rotations that is bridged. After a longer gap, the tilt begins again with
  /// the next acceleration.
  static let longestGap = TimeSpan.milliseconds(500)

  /// The rotation from the axes of the device to fixed axes. The third of the fixed axes points up.
  public private(set) var attitude = Rotation.none
  /// The number of gaps in the rotations. The heading does not contain the rotation during a gap.
  public private(set) var gaps = 0
  /// The estimated error of the gyroscope, in degrees per second.
  public var bias: SIMD3<Double> { rest.bias + drift }

  private var start: Rotation?
  private var needsTilt = true
  private var began: Instant?
  private var last: Instant?
  private var rate = SIMD3<Double>.zero
  private var acceleration: SIMD3<Double>?
  /// The errors of the tilt and of the heading as rotations in radians, each with the instant of its sample.
  private var tilt: (error: SIMD3<Double>, instant: Instant)?
  private var turn: (error: SIMD3<Double>, instant: Instant)?
  /// The part of the bias that the integral of the tilt's error gives, in degrees per second.
  private var drift = SIMD3<Double>.zero
  private var rest = RestingBias()
  private var compass = Compass()

  /// Makes a filter without samples.
  public init() {}

  /// Whether the attitude is known: the filter has an acceleration and a rotation.
  public var isReady: Bool { start != nil && last != nil }

  /// The acceleration of gravity in the axes of the device, in m/s²: (0, 0, 9.8) for a device that lies face
  /// up.
  public var gravity: SIMD3<Double> { Self.gravity * attitude.inverse.applied(to: SIMD3(0, 0, 1)) }

  /// The latest acceleration without gravity, in m/s²; zero before the first acceleration.
  public var userAcceleration: SIMD3<Double> { acceleration.map { $0 - gravity } ?? .zero }

  /// The latest rotation rates without the estimated error of the gyroscope, in degrees per second.
  public var rotation: SIMD3<Double> { rate - bias }

  /// The rotation about the vertical since the start, in degrees from -180 to 180, positive counter-clockwise
  /// when seen from above.
  public var heading: Double { start.map { (attitude * $0.inverse).twist } ?? 0 }

  /// Adds rotation rates in degrees per second.
  public mutating func add(rotation rate: SIMD3<Double>, at instant: Instant) {
    guard Self.isFinite(rate) else { return }
    guard let last else {
      (self.last, began, self.rate) = (instant, instant, rate)
      return
    }
    let span = instant - last
    guard span > .zero else { return }
    self.last = instant
    self.rate = rate
    guard span <= Self.longestGap else {
      gaps += 1
      needsTilt = true
      rest.interrupt()
      return
    }
    let seconds = span.seconds
    rest.add(rate - drift, seconds)
    let error = error(at: instant)
    drift -= Self.integral * seconds * Self.degrees * error
    drift.clamp(
      lowerBound: SIMD3(repeating: -Self.largestBias), upperBound: SIMD3(repeating: Self.largestBias))
    let turned = (rotation + gain(at: instant) * Self.degrees * error) * seconds
    attitude = attitude * Rotation(degrees: (turned * turned).sum().squareRoot(), about: turned)
  }

  /// Adds an acceleration in m/s², with gravity.
  public mutating func add(acceleration value: SIMD3<Double>, at instant: Instant) {
    let length = (value * value).sum().squareRoot()
    guard length.isFinite, isRecent(instant) else { return }
    acceleration = value
    tilt = nil
    let weight = max(0, 1 - abs(length - Self.gravity) / Self.largestDeviation)
    // A device in free fall has no direction of gravity.
    guard length > 1 else { return }
    if needsTilt, weight > 0 || start == nil {
      let up = attitude.applied(to: value)
      attitude = Rotation(from: up, to: SIMD3(0, 0, 1)) * attitude
      if start == nil { start = attitude }
      needsTilt = false
    }
    let up = attitude.inverse.applied(to: SIMD3(0, 0, 1))
    tilt = (weight * Rotation.cross(value / length, up), instant)
  }

  /// Adds the magnetic field in µT. Fields that differ from the first field in strength or in dip are
  /// ignored, because iron or a magnet disturbs them.
  public mutating func add(magneticField field: SIMD3<Double>, at instant: Instant) {
    guard Self.isFinite(field), isRecent(instant), start != nil, !needsTilt else { return }
    turn = compass.error(of: field, attitude).map { ($0, instant) }
  }

  /// Returns the sum of the errors from recent samples, as a rotation in radians.
  private func error(at instant: Instant) -> SIMD3<Double> {
    [tilt, turn].reduce(.zero) { sum, part in
      guard let part, instant - part.instant <= Self.longestGap else { return sum }
      return sum + part.error
    }
  }

  /// Returns the weight of the error: a high weight that falls to the proportional gain within the first
  /// seconds.
  private func gain(at instant: Instant) -> Double {
    guard let began else { return Self.proportional }
    let share = max(0, 1 - (instant - began).seconds / Self.settling)
    return Self.proportional + (Self.settlingGain - Self.proportional) * share
  }

  private func isRecent(_ instant: Instant) -> Bool { last.map { $0 - instant <= Self.longestGap } ?? true }

  private static let degrees = 180 / Double.pi

  private static func isFinite(_ value: SIMD3<Double>) -> Bool { (value * 0).sum() == 0 }
}
