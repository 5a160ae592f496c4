/// An amount of energy in whole nanojoules; every booking is made in it.
///
/// The count has 128 bits: the most expensive event that may be reported, booked a thousand times a second, fills it
/// after more than 10¹¹ years. Arithmetic never traps: it stops at the largest and at the smallest amount.
public struct Energy: Hashable, Comparable, Sendable {
  /// The amount in nanojoules.
  public var nanojoules: Int128

  /// Makes an amount of whole nanojoules.
  public init(nanojoules: some BinaryInteger) { self.nanojoules = Int128(clamping: nanojoules) }

  /// Makes an amount from joules, rounded to the nearest nanojoule; nil when not finite or 9.2 GJ or more.
  public init?(joules: Double) {
    guard let exact = Int64(exactly: (joules * 1e9).rounded()) else { return nil }
    self.init(exactly: Int128(exact))
  }

  private init(exactly nanojoules: Int128) { self.nanojoules = nanojoules }

  public static let zero = Energy(exactly: 0)

  /// The amount in nanojoules, rounded to the nearest floating-point number; never for booking.
  public var roundedNanojoules: Double {
    // Within 64 bits the conversion is one instruction.
    if let short = Int64(exactly: nanojoules) { return Double(short) }
    return Double(nanojoules)
  }

  /// The amount in joules, for people; never for booking.
  public var joules: Double { roundedNanojoules / 1e9 }

  public static func < (left: Energy, right: Energy) -> Bool { left.nanojoules < right.nanojoules }
  public static func + (left: Energy, right: Energy) -> Energy {
    let (sum, overflow) = left.nanojoules.addingReportingOverflow(right.nanojoules)
    return Energy(exactly: overflow ? (right.nanojoules < 0 ? .min : .max) : sum)
  }
  public static func - (left: Energy, right: Energy) -> Energy {
    let (difference, overflow) = left.nanojoules.subtractingReportingOverflow(right.nanojoules)
    return Energy(exactly: overflow ? (right.nanojoules < 0 ? .max : .min) : difference)
  }
  public static func * (left: Energy, right: Int64) -> Energy {
    let (product, overflow) = left.nanojoules.multipliedReportingOverflow(by: Int128(right))
    let isNegative = (left.nanojoules < 0) != (right < 0)
    return Energy(exactly: overflow ? (isNegative ? .min : .max) : product)
  }
  public static func += (left: inout Energy, right: Energy) { left = left + right }

  /// Splits the amount into `count` parts that differ by at most one nanojoule and add up exactly; the first
  /// parts
  /// take the remainder.
  ///
  /// - Precondition: `count` is positive and the amount is not negative.
  public func share(_ index: Int, of count: Int) -> Energy {
    precondition(count > 0 && index >= 0 && index < count && nanojoules >= 0, "a share of nothing")
    let (quotient, remainder) = nanojoules.quotientAndRemainder(dividingBy: Int128(count))
    return Energy(exactly: quotient + (Int128(index) < remainder ? 1 : 0))
  }

  /// The energy of a power held for a span, both not negative, with the remainder of the interval before.
  static func drawn(nanowatts: Int64, over nanoseconds: Int64, carrying remainder: Int64) -> (Energy, Int64) {
    // Two factors of 63 bits and a remainder of 63 bits fit 128 bits.
    let product = Int128(nanowatts) * Int128(nanoseconds) + Int128(remainder)
    let (quotient, rest) = product.quotientAndRemainder(dividingBy: 1_000_000_000)
    return (Energy(exactly: quotient), Int64(rest))
  }
}

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
    Power(nanowatts: left.nanowatts.addingSaturated(right.nanowatts))
  }

  /// The energy of holding this power for a span, in nanojoules, and what is left over in units of
  /// nanowatt-nanoseconds (10⁻¹⁸ J).
  ///
  /// Give the remainder of the last interval back in as `carrying`, and no fraction is ever lost or invented:
  /// cutting an interval in two books the same sum as booking it whole.
  ///
  /// A negative power, and a negative span, draw nothing.
  public func energy(over span: TimeSpan, carrying remainder: Int64) -> (Energy, remainder: Int64) {
    guard nanowatts > 0, span.nanoseconds > 0 else { return (.zero, remainder) }
    let (energy, rest) = Energy.drawn(nanowatts: nanowatts, over: span.nanoseconds, carrying: remainder)
    return (energy, remainder: rest)
  }
}

/// Integer arithmetic that stops at the ends of its range instead of trapping.
///
/// Counts and amounts that depend on what a plugin, a file or a client says are worked out with these.
extension FixedWidthInteger {
  /// The sum, or the nearer end of the range where it does not fit.
  public func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearer end of the range where it does not fit.
  public func subtractingSaturated(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the nearer end of the range where it does not fit.
  public func multipliedSaturated(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) != (other < 0) ? .min : .max) : product
  }
}
