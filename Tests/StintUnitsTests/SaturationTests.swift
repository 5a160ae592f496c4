import StintUnits
import Testing

@Suite("Times at the limits of 64 bits")
struct SaturationTests {
  @Test("sums, differences and products of spans saturate instead of trapping")
  func spans() {
    let longest = TimeSpan(nanoseconds: .max)
    let shortest = TimeSpan(nanoseconds: .min)
    #expect(longest + longest == longest)
    #expect(shortest + shortest == shortest)
    #expect(longest - shortest == longest)
    #expect(shortest - longest == shortest)
    #expect(longest * 2 == longest)
    #expect(longest * -2 == shortest)
    #expect(shortest * -1 == longest)
    #expect(TimeSpan.hours(.max) == longest)
    #expect(TimeSpan.seconds(3) - .seconds(5) == TimeSpan(nanoseconds: -2_000_000_000))
  }

  @Test("instants saturate at the first and last representable instants")
  func instants() {
    let first = Instant(nanoseconds: .min)
    #expect(Instant.distantFuture + .seconds(1) == .distantFuture)
    #expect(first + .seconds(-1) == first)
    #expect(first - .seconds(1) == first)
    #expect(Instant.distantFuture - .seconds(-1) == .distantFuture)
    #expect(Instant.distantFuture - first == TimeSpan(nanoseconds: .max))
    #expect(Instant.epoch + .seconds(2) - Instant.epoch == .seconds(2))
  }

  @Test("exponents of dimensions saturate instead of trapping")
  func dimensions() {
    var dimension = Dimension.length
    for _ in 0..<300 { dimension = dimension * .length }
    #expect(dimension.length == .max)
    for _ in 0..<600 { dimension = dimension / .length }
    #expect(dimension.length == .min)
  }
}
