import Testing

@testable import StintIIO

@Suite("iio: choice of the rate")
struct IIOFrequencyTests {
  @Test(
    "the slowest rate of at least 99.9 % of the request, or the fastest, is chosen in the device's notation",
    arguments: [
      (10, "15.620000"), (15.62, "15.620000"), (15.63, "15.620000"), (16, "31.260000"), (62.5, "62.50000"),
      (125, "125"), (2000, "2000"), (5000, "2000"),
    ] as [(Double, String)])
  func choices(hertz: Double, text: String) {
    let rates = IIOFrequency("2000 15.620000 31.260000 62.50000 125 250 500 1000")
    #expect(rates.text(for: hertz) == text)
  }

  @Test("a rate is clamped to the device's range; without a list of rates, it is only rounded to a millionth")
  func others() {
    #expect(IIOFrequency("[1 1 100]").text(for: 400) == "100")
    #expect(IIOFrequency("[1 1 100]").text(for: 0.2) == "1")
    #expect(IIOFrequency("[1 1 100]").text(for: 12.5) == "12.5")
    #expect(IIOFrequency("").text(for: 33.333333333) == "33.333333")
    #expect(IIOFrequency("").text(for: 0.000278) == "0.000278")
  }

  @Test("invalid rates are ignored; an invalid range, or a list without a valid rate, counts as no list")
  func garbage() {
    #expect(IIOFrequency("nan 10 inf -5 0 ten 0x20").text(for: 1) == "10")
    #expect(IIOFrequency("nan") == .any)
    #expect(IIOFrequency("[5 1]") == .any)
    #expect(IIOFrequency("[9 1 5]") == .any)
  }
}
