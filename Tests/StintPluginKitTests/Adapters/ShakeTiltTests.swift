import StintModel
import StintPluginKit
import StintTestSupport
import StintUnits
import Testing

/// Tests the recognition of shakes and tilts in synthetic accelerations.
@Suite struct ShakeTiltTests {
  private static let gravity = 9.80665

  /// The spans in seconds during which a condition holds.
  private func spans(
    _ hertz: Double, seconds: Double, _ add: (SIMD3<Double>) -> Bool, _ isTrue: () -> Bool,
    _ acceleration: (Double) -> SIMD3<Double>
  ) -> [ClosedRange<Double>] {
    var spans: [ClosedRange<Double>] = []
    var start: Double?
    for place in 0..<Int(seconds * hertz) {
      let time = Double(place) / hertz
      let was = isTrue()
      let hasChanged = add(acceleration(time))
      #expect(hasChanged == (was != isTrue()))
      if isTrue(), start == nil { start = time }
      if !isTrue(), let begin = start {
        spans.append(begin...time)
        start = nil
      }
    }
    if let start { spans.append(start...seconds) }
    return spans
  }

  private func shakes(
    _ hertz: Double, seconds: Double = 20, _ acceleration: (Double) -> SIMD3<Double>
  ) throws -> [ClosedRange<Double>] {
    var detector = try #require(ShakeDetector(periodInNanoseconds: Int64(1e9 / hertz)))
    return spans(hertz, seconds: seconds, { detector.add($0) }, { detector.isShaking }, acceleration)
  }

  private func tilts(
    _ hertz: Double, seconds: Double = 30, _ acceleration: (Double) -> SIMD3<Double>
  ) throws -> [ClosedRange<Double>] {
    var detector = try #require(TiltDetector(periodInNanoseconds: Int64(1e9 / hertz)))
    return spans(hertz, seconds: seconds, { detector.add($0) }, { detector.isTilting }, acceleration)
  }

  /// Returns gravity for a phone that is turned about its x axis.
  private func turned(_ degrees: Double) -> SIMD3<Double> {
    SIMD3(0, sine(degrees: degrees), sine(degrees: degrees + 90)) * Self.gravity
  }

  private func wave(_ turns: Double) -> Double { sine(degrees: 360 * (turns - turns.rounded(.down))) }

  @Test(
    "a shake at 3 to 6 Hz is recognized within a second, and ends within half a second",
    arguments: [20.0, 25, 50, 100, 400])
  func shake(hertz: Double) throws {
    for pace in [3.0, 4.1, 5.3, 6.2] {
      for axis in 0..<3 {
        let found = try shakes(hertz) { time in
          var value = SIMD3(0, 0, Self.gravity)
          if (10..<12).contains(time) { value[axis] += 40 * wave(pace * time) }
          return value
        }
        let span = try #require(found.first, "\(pace) Hz, axis \(axis)")
        #expect(found.count == 1 && (10...11).contains(span.lowerBound), "\(pace) Hz: \(found)")
        #expect((11.8...12.5).contains(span.upperBound), "\(pace) Hz: \(found)")
      }
    }
  }

  @Test("steps, a fall, a blow and a ride on a rough road are no shakes", arguments: [20.0, 50, 100])
  func noShake(hertz: Double) throws {
    let motions: [(String, (Double) -> SIMD3<Double>)] = [
      ("walking", { SIMD3(2 * wave(0.9 * $0), 0, Self.gravity + 5 * wave(1.8 * $0)) }),
      ("running", { SIMD3(4 * wave(1.4 * $0), 3 * wave(2.8 * $0), Self.gravity + 13 * wave(2.8 * $0)) }),
      ("a fall", { (5..<5.6).contains($0) ? .zero : SIMD3(0, 0, Self.gravity) }),
      ("a blow", { (5..<5.1).contains($0) ? SIMD3(90, 0, 0) : SIMD3(0, 0, Self.gravity) }),
      ("a road", { SIMD3(0, wave(9 * $0), Self.gravity + 3 * wave(11.3 * $0)) }),
    ]
    for (name, motion) in motions { #expect(try shakes(hertz, motion) == [], "\(name)") }
  }

  @Test("a turn by 40 degrees is a tilt, which ends after the phone is steady", arguments: [2.0, 5, 50, 400])
  func tilt(hertz: Double) throws {
    for end in [40.0, 90, 180] {
      let found = try tilts(hertz) { turned(end * min(max($0 - 10, 0), 1)) }
      let span = try #require(found.first, "\(end)")
      #expect(found.count == 1 && (10.5...13.5).contains(span.lowerBound), "\(end): \(found)")
      #expect((13...15.5).contains(span.upperBound), "\(end): \(found)")
    }
    let both = try tilts(hertz) { turned((10..<20).contains($0) ? 60 : 0) }
    #expect(both.count == 2, "there and back: \(both)")
  }

  @Test("a turn by 30 degrees, steps and a turn about the vertical are no tilts", arguments: [2.0, 5, 50])
  func noTilt(hertz: Double) throws {
    #expect(try tilts(hertz) { turned(30 * min(max($0 - 10, 0), 1)) } == [])
    #expect(try tilts(hertz) { turned(20 * wave($0 / 2)) } == [])
    #expect(
      try tilts(hertz) { SIMD3(2 * wave(0.9 * $0), 3 * wave(1.8 * $0), Self.gravity + 4 * wave(1.8 * $0)) }
        == [])
  }

  @Test("samples that are too rare have no detector: below 8 Hz for shakes, and below 2 Hz for tilts")
  func rates() {
    #expect(ShakeDetector(periodInNanoseconds: 125_000_000) != nil)
    #expect(ShakeDetector(periodInNanoseconds: 125_000_001) == nil)
    #expect(TiltDetector(periodInNanoseconds: 500_000_000) != nil)
    #expect(TiltDetector(periodInNanoseconds: 500_000_001) == nil)
    #expect(ShakeDetector(periodInNanoseconds: 0) != nil && TiltDetector(periodInNanoseconds: -1) != nil)
  }

  @Test("an observer reports the facts that its rate allows, and a confidence of whole hundredths")
  func report() {
    for (hertz, hasTilt, hasShake) in [(1.0, false, false), (4, true, false), (50, true, true)] {
      var observer = MotionObserver(period: TimeSpan(nanoseconds: Int64(1e9 / hertz)))
      #expect(observer.report().activity == nil && observer.report().confidence == nil)
      for place in 0..<Int(5 * hertz) {
        _ = observer.add(SIMD3(0, 0, Self.gravity + 0.01 * Double(place % 2)))
      }
      let report = observer.report()
      #expect(report.activity == .still)
      #expect(report.confidence.map { (0.5...1).contains($0) && ($0 * 100).rounded() / 100 == $0 } == true)
      #expect(report.isTilting == (hasTilt ? false : nil) && report.isShaking == (hasShake ? false : nil))
    }
  }
}
