import StintUnits
import Testing

/// Tests the values of lengths and durations in the forms that apps use.
@Suite struct AppValueTests {
  @Test("a length in kilometres is equal to the same length in metres, and lengths are ordered")
  func lengths() {
    #expect(Length.kilometers(1.5) == .meters(1500))
    #expect(Length.meters(50) < .kilometers(1))
  }

  @Test(
    "a duration becomes a time span of whole nanoseconds, limited to 292 years in both directions",
    arguments: [
      (Duration.seconds(0.25), TimeSpan.milliseconds(250)), (.minutes(3), .seconds(180)),
      (.hours(-2), .seconds(-7200)), (.nanoseconds(7), TimeSpan(nanoseconds: 7)),
      (.seconds(1e20), .unlimited), (.seconds(-1e20), TimeSpan(nanoseconds: .min)),
      (.minutes(.max), .unlimited),
    ])
  func durations(duration: Duration, span: TimeSpan) {
    #expect(duration.timeSpan == span)
    #expect(span.duration.timeSpan == span)
  }
}
