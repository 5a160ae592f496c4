import StintSimulation
import Testing

@Suite struct ErrorHistogramTests {
  @Test("quantiles of small errors are exact to a tenth of a metre")
  func smallErrors() {
    var histogram = ErrorHistogram()
    for tenth in 0..<1000 { histogram.add(Double(tenth) / 10 + 0.05) }
    for share in [0.01, 0.5, 0.95, 0.999] {
      let exact = share * 100
      #expect(abs((histogram.quantile(share) ?? 0) - exact) <= 0.11, "\(share)")
    }
    #expect(histogram.count == 1000)
  }

  @Test(
    "quantiles of large errors are at most a quarter too large",
    arguments: [100.0, 250, 3000, 80_000, 20_000_000])
  func farErrors(metres: Double) {
    var histogram = ErrorHistogram()
    histogram.add(metres)
    let seen = histogram.quantile(0.5) ?? 0
    #expect(seen >= metres && seen <= metres * 1.25 + 0.1, "\(seen)")
  }

  @Test("negative, infinite and NaN errors are counted and cause no trap")
  func invalidErrors() {
    var histogram = ErrorHistogram()
    for value in [-1, .nan, .infinity, -.infinity, 0] as [Double] { histogram.add(value) }
    #expect(histogram.count == 5)
    #expect(histogram.quantile(0) == 0.1 && histogram.quantile(0.5) == 0.1)
    #expect(ErrorHistogram().quantile(0.5) == nil)
  }
}
