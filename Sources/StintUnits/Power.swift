/// A power in whole nanowatts.
public struct Power: Hashable, Comparable, Sendable {
  /// The power in nanowatts.
  public var nanowatts: Int64

  /// Makes a power of whole nanowatts.
  public init(nanowatts: Int64) { self.nanowatts = nanowatts }

  /// Makes a power from watts, rounded to the nearest nanowatt; nil when not finite or out of range.
  public init?(watts: Double) {
    guard let exact = Int64(exactly: (watts * 1e9).rounded()) else { return nil }
    self.nanowatts = exact
  }

  public static let zero = Power(nanowatts: 0)

  /// The power in watts, for people; never for booking.
  public var watts: Double { Double(nanowatts) / 1e9 }

  public static func < (left: Power, right: Power) -> Bool { left.nanowatts < right.nanowatts }
  public static func + (left: Power, right: Power) -> Power {
    Power(nanowatts: left.nanowatts + right.nanowatts)
  }

  /// The energy of holding this power for a span, in nanojoules, and what is left over in units of
  /// nanowatt-nanoseconds (10⁻¹⁸ J).
  ///
  /// Give the remainder of the last interval back in as `carrying`, and no fraction is ever lost or invented:
  /// cutting an interval in two books the same sum as booking it whole.
  ///
  /// - Precondition: power and span are not negative.
  public func energy(over span: TimeSpan, carrying remainder: Int64) -> (Energy, remainder: Int64) {
    precondition(nanowatts >= 0 && span.nanoseconds >= 0, "energy flows one way")
    let product = Int128(nanowatts) * Int128(span.nanoseconds) + Int128(remainder)
    let (quotient, rest) = product.quotientAndRemainder(dividingBy: 1_000_000_000)
    return (Energy(nanojoules: Int64(quotient)), Int64(rest))
  }
}
