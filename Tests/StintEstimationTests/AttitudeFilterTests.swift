import StintModel
import StintUnits
import Testing

@testable import StintEstimation

/// Tests the filter with synthetic motion, whose attitude is known.
@Suite struct AttitudeFilterTests {
  /// A motion with known attitude. The rates come from the attitude, by finite differences.
  private struct Motion {
    var attitude: (Double) -> Rotation
    var bias = SIMD3<Double>.zero
    /// The acceleration of the device in fixed axes, in m/s².
    var acceleration: (Double) -> SIMD3<Double> = { _ in .zero }
    /// The standard deviations of the gyroscope in degrees per second, and of the accelerometer in m/s².
    var noise = (rate: 0.1, acceleration: 0.03)
    /// The spans in seconds without samples.
    var dropouts: [ClosedRange<Double>] = []
    var hasCompass = false
  }

  /// The largest errors of a run after its first seconds, in degrees.
  private struct Errors {
    var tilt = 0.0
    var heading = 0.0
  }

  private static func noise(_ state: inout UInt64) -> Double {
    var sum = 0.0
    for _ in 0..<12 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      sum += Double(state >> 11) / Double(1 << 53)
    }
    return sum - 6
  }

  private static func noises(_ state: inout UInt64) -> SIMD3<Double> {
    SIMD3(noise(&state), noise(&state), noise(&state))
  }

  /// Returns the angle between two directions, in degrees.
  private static func angle(_ left: SIMD3<Double>, _ right: SIMD3<Double>) -> Double {
    let cross = Rotation.cross(left, right)
    return arctangent((cross * cross).sum().squareRoot(), (left * right).sum())
  }

  private static func difference(_ left: Double, _ right: Double) -> Double {
    let turn = (left - right).truncatingRemainder(dividingBy: 360)
    return abs(turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn)
  }

  /// Runs the filter at 100 Hz, and returns its errors after `settled` seconds. With `ignoresOffset`, the
  /// error of the heading at that time does not count.
  private static func run(
    _ motion: Motion, seconds: Double, settled: Double = 3, ignoresOffset: Bool = false
  ) -> (filter: AttitudeFilter, errors: Errors) {
    var filter = AttitudeFilter()
    var errors = Errors()
    var state: UInt64 = 7
    let step = 0.01
    let start = motion.attitude(0)
    var offset: Double?
    for index in 0...Int(seconds / step) {
      let time = Double(index) * step
      if motion.dropouts.contains(where: { $0.contains(time) }) { continue }
      let instant = Instant.epoch + TimeSpan(nanoseconds: Int64(index) * 10_000_000)
      let truth = motion.attitude(time)
      let fine = 1e-4
      let turned = motion.attitude(time - step / 2 - fine).inverse * motion.attitude(time - step / 2 + fine)
      let half = (turned.vector * turned.vector).sum().squareRoot()
      let axis = half > 0 ? turned.vector / half : .zero
      let rate = axis * (2 * arctangent(half, turned.w) / (2 * fine))
      filter.add(rotation: rate + motion.bias + motion.noise.rate * noises(&state), at: instant)
      let force = motion.acceleration(time) + SIMD3(0, 0, AttitudeFilter.gravity)
      filter.add(
        acceleration: truth.inverse.applied(to: force) + motion.noise.acceleration * noises(&state),
        at: instant)
      if motion.hasCompass {
        filter.add(magneticField: truth.inverse.applied(to: SIMD3(21, 0, -43)), at: instant)
      }
      guard time >= settled else { continue }
      errors.tilt = max(errors.tilt, angle(filter.gravity, truth.inverse.applied(to: SIMD3(0, 0, 1))))
      let expected = (truth * start.inverse).twist
      if offset == nil { offset = ignoresOffset ? filter.heading - expected : 0 }
      errors.heading = max(errors.heading, difference(filter.heading - (offset ?? 0), expected))
    }
    return (filter, errors)
  }

  /// A device that is turned by hand: about the vertical by up to 120 degrees, and tilted by up to 60
  /// degrees.
  private static func hand(_ time: Double) -> Rotation {
    Rotation(degrees: 120 * sine(degrees: 40 * time), about: SIMD3(0, 0, 1))
      * Rotation(degrees: 60 * sine(degrees: 70 * time), about: SIMD3(1, 0.5, 0))
  }

  private static let poses = [
    Rotation.none, Rotation(degrees: 90, about: SIMD3(1, 0, 0)),
    Rotation(degrees: -90, about: SIMD3(0, 1, 0)),
    Rotation(degrees: 180, about: SIMD3(1, 0, 0)), Rotation(degrees: 180, about: SIMD3(1, 1, 0)),
    Rotation(degrees: 137, about: SIMD3(0.3, -1, 0.4)),
  ]

  @Test(
    "a device that is turned by hand for a minute: the tilt is within 1 degree, the heading within 2 degrees")
  func hand() {
    let errors = Self.run(Motion(attitude: Self.hand), seconds: 60).errors
    #expect(errors.tilt < 1 && errors.heading < 2, "\(errors)")
  }

  @Test("a full turn about the vertical is a full turn of the heading, however the device is held")
  func turns() {
    for pose in Self.poses {
      let motion = Motion(attitude: { Rotation(degrees: 90 * $0, about: SIMD3(0, 0, 1)) * pose })
      let errors = Self.run(motion, seconds: 20).errors
      #expect(errors.tilt < 1 && errors.heading < 2, "\(pose): \(errors)")
    }
  }

  @Test("gravity, rotation and acceleration of a device at rest, in each pose")
  func rest() {
    for pose in Self.poses {
      let filter = Self.run(Motion(attitude: { _ in pose }), seconds: 10).filter
      let up = pose.inverse.applied(to: SIMD3(0, 0, AttitudeFilter.gravity))
      for (axis, value) in [up.x, up.y, up.z].enumerated() {
        #expect(abs(filter.gravity[axis] - value) < 0.1)
        #expect(abs(filter.userAcceleration[axis]) < 0.3)
        #expect(abs(filter.rotation[axis]) < 0.6)
      }
      #expect(filter.isReady && filter.gaps == 0)
    }
  }

  @Test(
    "an error of the gyroscope is found at rest, and the heading then stays within 2 degrees for a minute")
  func bias() {
    let bias = SIMD3(1.5, -2, 2.5)
    // At rest for 10 s, then turned by hand.
    let motion = Motion(attitude: { $0 < 10 ? Rotation.none : Self.hand($0 - 10) }, bias: bias)
    let (filter, errors) = Self.run(motion, seconds: 70, settled: 10, ignoresOffset: true)
    for axis in 0..<3 { #expect(abs(filter.bias[axis] - bias[axis]) < 0.1, "\(filter.bias)") }
    #expect(errors.tilt < 1 && errors.heading < 2, "\(errors)")
  }

  @Test("without rest, an error of the gyroscope does not change the tilt by more than 2 degrees")
  func drift() {
    let motion = Motion(attitude: Self.hand, bias: SIMD3(2, -1, 1))
    let errors = Self.run(motion, seconds: 120, settled: 20).errors
    #expect(errors.tilt < 2, "\(errors)")
  }

  @Test("with a magnetometer, the heading has no drift, and a magnet near the device has no effect")
  func compass() {
    var motion = Motion(attitude: Self.hand, bias: SIMD3(0, 0, 1.5))
    #expect(Self.run(motion, seconds: 120, settled: 20).errors.heading > 20)
    motion.hasCompass = true
    let (filter, errors) = Self.run(motion, seconds: 120, settled: 20)
    #expect(errors.heading < 3, "\(errors)")
    var disturbed = filter
    let later = Instant.epoch + .seconds(120)
    for index in 1...200 {
      let instant = later + .milliseconds(10 * Int64(index))
      disturbed.add(rotation: filter.bias, at: instant)
      disturbed.add(magneticField: SIMD3(0, 300, 0), at: instant)
    }
    #expect(Self.difference(disturbed.heading, filter.heading) < 1)
  }

  @Test(
    "a walk of a minute changes the tilt by less than 1 degree, and the heading by less than 10 degrees"
  )
  func walk() {
    let motion = Motion(
      attitude: { Rotation(degrees: 5 * sine(degrees: 360 * $0), about: SIMD3(1, 0, 0)) },
      acceleration: { SIMD3(1.5 * sine(degrees: 360 * $0), 0, 3 * sine(degrees: 720 * $0)) })
    let errors = Self.run(motion, seconds: 60).errors
    #expect(errors.tilt < 1 && errors.heading < 10, "\(errors)")
  }

  @Test("after a gap in the samples, the tilt is right at once, and the gap is counted")
  func dropouts() {
    var motion = Motion(attitude: Self.hand)
    motion.dropouts = [20.003...21.9, 40.003...40.2]
    let (filter, _) = Self.run(motion, seconds: 30)
    #expect(filter.gaps == 1)
    let short = Self.run(motion, seconds: 60, settled: 22.5)
    #expect(short.filter.gaps == 1, "a gap of 0.2 s is bridged")
    #expect(short.errors.tilt < 4, "\(short.errors)")
  }

  @Test("when the accelerometer and the magnetometer stop, their last samples have no further effect")
  func stale() {
    var filter = Self.run(Motion(attitude: Self.hand, hasCompass: true), seconds: 10.3).filter
    var instant = Instant.epoch + .milliseconds(10_310)
    func turn() {
      for _ in 0..<100 {
        instant = instant + .milliseconds(10)
        filter.add(rotation: filter.bias, at: instant)
      }
    }
    turn()
    let before = filter.attitude
    for _ in 0..<30 { turn() }
    let turned = before.inverse * filter.attitude
    #expect(abs(turned.w) > 0.999_99, "\(turned)")
  }

  @Test("samples that are no numbers, too old, or repeated change nothing, and free fall keeps the tilt")
  func invalid() {
    let filter = Self.run(Motion(attitude: Self.hand), seconds: 10).filter
    var other = filter
    let now = Instant.epoch + .seconds(10)
    other.add(rotation: SIMD3(.nan, 0, 0), at: now + .seconds(1))
    other.add(acceleration: SIMD3(0, .infinity, 0), at: now)
    other.add(magneticField: SIMD3(0, 0, .nan), at: now)
    other.add(rotation: SIMD3(50, 0, 0), at: now)
    other.add(acceleration: SIMD3(9, 0, 0), at: now - .seconds(1))
    #expect(other.attitude == filter.attitude && other.bias == filter.bias)
    other.add(acceleration: .zero, at: now)
    for index in 1...20 { other.add(rotation: filter.bias, at: now + .milliseconds(10 * Int64(index))) }
    #expect(Self.angle(other.gravity, filter.gravity) < 0.5)
    var empty = AttitudeFilter()
    #expect(!empty.isReady && empty.heading == 0 && empty.userAcceleration == .zero)
    empty.add(acceleration: SIMD3(0, 9.8, 0), at: now)
    #expect(!empty.isReady && abs(empty.gravity.y - AttitudeFilter.gravity) < 1e-9)
  }

  @Test("the angle of a vector is right to a millionth of a degree in each direction")
  func angles() {
    for degrees in stride(from: -180.0, through: 180, by: 0.37) {
      let found = arctangent(3 * sine(degrees: degrees), 3 * cosine(degrees: degrees))
      #expect(Self.difference(found, degrees) < 1e-6)
    }
    #expect(arctangent(0, 0) == 0 && arctangent(0, -1) == 180)
  }
}
