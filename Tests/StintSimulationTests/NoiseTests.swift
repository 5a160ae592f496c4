import StintModel
import StintUnits
import Testing

@testable import StintSimulation

@Suite struct NoiseTests {
  private let noise = Noise(seed: 7, device: "location.gnss")

  @Test("Gaussian noise has mean 0 and variance 1")
  func gaussian() {
    let values = (0..<100_000 as Range<Int64>).map {
      noise.gaussian(Instant(nanoseconds: $0 * 1_000_000_000))
    }
    let mean = values.reduce(0, +) / 100_000
    let variance = values.map { $0 * $0 }.reduce(0, +) / 100_000
    #expect(abs(mean) < 0.02 && abs(variance - 1) < 0.02)
    #expect(values.allSatisfy { abs($0) < 3.47 })
  }

  @Test("uniform noise is evenly distributed between 0 and 1")
  func uniform() {
    var boxes = Array(repeating: 0, count: 20)
    for nanosecond in 0..<100_000 as Range<Int64> {
      boxes[Int(noise.uniform(Instant(nanoseconds: nanosecond)) * 20)] += 1
    }
    #expect(boxes.allSatisfy { abs($0 - 5000) < 350 }, "\(boxes)")
  }

  @Test("noise depends only on seed, device, instant and salt")
  func inputs() {
    let instant = Instant(nanoseconds: 12_345)
    let same = Noise(seed: 7, device: "location.gnss")
    #expect(noise.bits(instant, salt: 3) == same.bits(instant, salt: 3))
    let others = [
      Noise(seed: 8, device: "location.gnss").bits(instant, salt: 3),
      Noise(seed: 7, device: "location.wifi").bits(instant, salt: 3), noise.bits(instant, salt: 4),
      noise.bits(Instant(nanoseconds: 12_346), salt: 3),
    ]
    #expect(!others.contains(noise.bits(instant, salt: 3)))
    #expect(Set(others).count == 4)
  }

  @Test("the bits of noise are equal on every machine") func pinned() {
    #expect(
      noise.bits(Instant(nanoseconds: 1_778_918_400_000_000_000), salt: 1) == 16_149_543_243_037_462_681)
  }

  @Test("noise values of two salts are uncorrelated")
  func saltsAreIndependent() {
    let product = (0..<50_000 as Range<Int64>).map { second in
      let instant = Instant(nanoseconds: second * 1_000_000_000)
      return noise.gaussian(instant, salt: 1) * noise.gaussian(instant, salt: 2)
    }.reduce(0, +)
    #expect(abs(product / 50_000) < 0.02)
  }
}
