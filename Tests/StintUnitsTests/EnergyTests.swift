import StintUnits
import Testing

@Suite struct EnergyTests {
  @Test("F3: the shares of an amount add up to exactly this amount")
  func shares() {
    for amount in [0, 1, 2, 7, 999_999_999, 1_000_000_007] as [Int64] {
      for count in 1...9 {
        let parts = (0..<count).map { Energy(nanojoules: amount).share($0, of: count) }
        #expect(parts.reduce(.zero, +) == Energy(nanojoules: amount))
        #expect((parts.max() ?? .zero) - (parts.min() ?? .zero) <= Energy(nanojoules: 1))
      }
    }
  }

  @Test("F3: the energies of two parts of an interval add up to the energy of the interval")
  func cuts() {
    let power = Power(nanowatts: 66_001)
    let whole = power.energy(over: TimeSpan(nanoseconds: 1_000_000_007), carrying: 0)
    for cut in [1, 333, 500_000_003, 1_000_000_006] as [Int64] {
      let first = power.energy(over: TimeSpan(nanoseconds: cut), carrying: 0)
      let second = power.energy(over: TimeSpan(nanoseconds: 1_000_000_007 - cut), carrying: first.remainder)
      #expect(first.0 + second.0 == whole.0)
      #expect(second.remainder == whole.remainder)
    }
  }

  @Test("the energy of one watt for a day does not overflow")
  func longIntervals() {
    #expect(Power(nanowatts: 1_000_000_000).energy(over: .hours(24), carrying: 0).0 == Energy(joules: 86_400))
  }
}
