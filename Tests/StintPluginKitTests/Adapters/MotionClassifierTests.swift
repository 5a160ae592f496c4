import StintModel
import StintPluginKit
import StintTestSupport
import StintUnits
import Testing

@Suite struct MotionClassifierTests {
  private static let gravity = 9.80665
  private static let rates = [8.0, 10, 12.5, 25, 50, 100]

  /// Returns the activities that a classifier reports for accelerations at a rate, and the last confidence.
  private func activities(
    _ hertz: Double, seconds: Double = 20, _ acceleration: (Double) -> SIMD3<Double>
  ) -> (all: Set<Activity>, last: Activity?, confidence: Double) {
    var classifier = MotionClassifier(period: TimeSpan(nanoseconds: Int64(1e9 / hertz)))
    var all: Set<Activity> = []
    for place in 0..<Int(seconds * hertz) {
      _ = classifier.add(acceleration(Double(place) / hertz))
      if let activity = classifier.activity { all.insert(activity) }
    }
    return (all, classifier.activity, classifier.measureConfidence())
  }

  private func wave(_ turns: Double) -> Double { sine(degrees: 360 * (turns - turns.rounded(.down))) }

  /// Returns strides of a phone in a trouser pocket: the leg swings once per stride and strikes twice.
  private func strides(_ pace: Double, swing: Double, strike: Double) -> (Double) -> SIMD3<Double> {
    { time in
      let turns = pace * time
      return SIMD3(
        swing * wave(turns), swing * wave(turns + 0.3) + strike * wave(2 * turns + 0.1),
        Self.gravity + strike * wave(2 * turns) + strike / 2 * wave(4 * turns))
    }
  }

  @Test("strong strides at 0.85 per second are walking, and at 1.35 per second running", arguments: rates)
  func strongSteps(hertz: Double) {
    let walking = activities(hertz, strides(0.85, swing: 5, strike: 4))
    #expect(walking.all == [.walking] && walking.confidence > 0.8, "\(walking)")
    let running = activities(hertz, strides(1.35, swing: 5, strike: 4))
    #expect(running.all == [.running] && running.confidence > 0.8, "\(running)")
  }

  @Test("a phone in any orientation gives the same activity", arguments: [0.0, 40, 90, 145, 270])
  func orientation(degrees: Double) {
    let (sin, cos) = (sine(degrees: degrees), sine(degrees: degrees + 90))
    let upright = strides(0.85, swing: 5, strike: 4)
    let turned = activities(50) { time in
      let value = upright(time)
      return SIMD3(cos * value.x + sin * value.z, value.y, cos * value.z - sin * value.x)
    }
    #expect(turned.all == [.walking])
  }

  @Test("a phone that turns by 1 to 180 degrees per second is still, never in a vehicle", arguments: rates)
  func rotation(hertz: Double) {
    for speed in [1.0, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180] {
      for start in [0.0, 5] {
        var noise = SeededGenerator(seed: 1)
        let turning = activities(hertz, seconds: 40) { time in
          let degrees = (max(0, time - start) * speed).truncatingRemainder(dividingBy: 360)
          let jitter = SIMD3(random: 0.05, &noise)
          return SIMD3(sine(degrees: degrees), 0, sine(degrees: degrees + 90)) * Self.gravity + jitter
        }
        #expect(turning.all == [.still], "\(speed) degrees per second: \(turning.all)")
      }
    }
  }

  @Test(
    "an even vibration is a vehicle; a hand that moves in bursts is still", arguments: [10.0, 25, 50, 100])
  func vibration(hertz: Double) {
    for (burst, expected) in [(false, Activity.automotive), (true, .still)] {
      var noise = SeededGenerator(seed: 2)
      let moved = activities(hertz) { time in
        // A burst of 0.6 s, every 1.7 s.
        let isWeak = burst && time.truncatingRemainder(dividingBy: 1.7) > 0.6
        let bound = isWeak ? 0.05 : 0.3
        let shake = SIMD3(random: bound, &noise)
        return SIMD3(0, 0, Self.gravity) + shake
      }
      #expect(moved.all == [expected], "\(burst): \(moved.all)")
    }
  }

  @Test("a strong motion without the rhythm of steps has a confidence below 0.5", arguments: rates)
  func irregular(hertz: Double) {
    var noise = SeededGenerator(seed: 3)
    let strokes = activities(hertz) { _ in
      SIMD3(0, 0, Self.gravity) + SIMD3(random: 12, &noise)
    }
    #expect(strokes.confidence < 0.5, "\(strokes)")
  }

  @Test("below 8 Hz, the confidence is 0.5; it is 0 until the first window is full")
  func slowSamples() {
    #expect(activities(1, strides(0.85, swing: 1, strike: 2)).confidence == 0.5)
    #expect(activities(50, seconds: 2) { _ in SIMD3(0, 0, Self.gravity) }.confidence == 0)
    #expect(activities(50) { _ in SIMD3(0, 0, Self.gravity) }.confidence > 0.9)
  }
}

extension SIMD3<Double> {
  /// Makes a vector of three independent numbers from -`bound` to `bound`.
  fileprivate init(random bound: Double, _ generator: inout SeededGenerator) {
    self.init(
      .random(in: -bound...bound, using: &generator), .random(in: -bound...bound, using: &generator),
      .random(in: -bound...bound, using: &generator))
  }
}
