import StintUnits
import Testing

/// Arithmetic at the limits of the ranges yields the exact result or the nearer limit, and never traps.
@Suite("Arithmetic of units never traps")
struct SaturatingArithmeticTests {
  private static let ends: [Int64] = [
    .min, .min + 1, -1_000_000_001, -1, 0, 1, 2, 999_999_999, 1 << 31, 1 << 32, 1 << 53, .max - 1, .max,
  ]

  @Test("spans and instants saturate at the limits of 64 bits")
  func spans() {
    for left in Self.ends {
      for right in Self.ends {
        let (a, b) = (TimeSpan(nanoseconds: left), TimeSpan(nanoseconds: right))
        let sum = Int64(clamping: Int128(left) + Int128(right))
        let difference = Int64(clamping: Int128(left) - Int128(right))
        #expect((a + b).nanoseconds == sum)
        #expect((a - b).nanoseconds == difference)
        #expect((a * right).nanoseconds == Int64(clamping: Int128(left) * Int128(right)))
        #expect((Instant(nanoseconds: left) + b).nanoseconds == sum)
        #expect((Instant(nanoseconds: left) - b).nanoseconds == difference)
        #expect((Instant(nanoseconds: left) - Instant(nanoseconds: right)).nanoseconds == difference)
      }
      #expect(TimeSpan.hours(left).nanoseconds == Int64(clamping: Int128(left) * 3_600_000_000_000))
      #expect(TimeSpan.milliseconds(left).nanoseconds == Int64(clamping: Int128(left) * 1_000_000))
    }
  }

  @Test("powers saturate at 64 bits, and an energy can represent any power over any span")
  func energies() {
    for left in Self.ends {
      for right in Self.ends {
        #expect(
          (Power(nanowatts: left) + Power(nanowatts: right)).nanowatts
            == Int64(clamping: Int128(left) + Int128(right)))
        let (energy, rest) = Power(nanowatts: left).energy(
          over: TimeSpan(nanoseconds: right), carrying: 999_999_999)
        let exact = Int128(max(left, 0)) * Int128(max(right, 0)) + 999_999_999
        #expect(energy.nanojoules * 1_000_000_000 + Int128(rest) == exact)
      }
    }
  }

  @Test("energies saturate at the limits of 128 bits")
  func endsOfEnergy() {
    let (most, least) = (Energy(nanojoules: Int128.max), Energy(nanojoules: Int128.min))
    let one = Energy(nanojoules: 1)
    #expect(most + one == most && least - one == least)
    #expect(most - least == most && least - most == least)
    #expect(most * 2 == most && most * -2 == least && least * -1 == most)
    #expect(Energy(nanojoules: UInt128.max) == most)
    #expect(most.joules > 1e29 && most.joules.isFinite)
  }

  @Test(
    "periods at the first and last instants have a start and an end",
    arguments: [Int64.min, Int64.min + 1, Int64.max - 1])
  func periods(nanoseconds: Int64) {
    let instant = Instant(nanoseconds: nanoseconds)
    for hours in [1, 24, 7 * 24] as [Int64] {
      let periods = LocalPeriods(length: .hours(hours), origin: .zero)
      let (start, end) = periods.containing(instant, in: .utc)
      #expect(start <= instant && (end > instant || end == .distantFuture))
    }
  }
}
