/// An amount of energy in whole nanojoules, the unit of all energy accounting.
///
/// The amount has 128 bits. One event has at most 1 kJ. A thousand such events per second would overflow the
/// amount only after more than 10¹⁵ years. Arithmetic never traps: it saturates at the largest and at the
/// smallest amount.
public struct Energy: Hashable, Comparable, Sendable {
  /// The amount in nanojoules.
  public var nanojoules: Int128

  /// Makes an amount of whole nanojoules, limited to the range of 128 bits.
  public init(nanojoules: some BinaryInteger) { self.nanojoules = Int128(clamping: nanojoules) }

  /// Makes an amount from joules, rounded to the nearest nanojoule; nil when not finite or beyond ±9.2 GJ.
  public init?(joules: Double) {
    guard let exact = Int64(exactly: (joules * 1e9).rounded()) else { return nil }
    self.init(exactly: Int128(exact))
  }

  private init(exactly nanojoules: Int128) { self.nanojoules = nanojoules }

  /// No energy.
  public static let zero = Energy(exactly: 0)

  /// The amount in nanojoules, rounded to the nearest floating-point number. Do not use this value in
  /// accounts.
  public var roundedNanojoules: Double {
    // The conversion is one instruction when the value fits 64 bits.
    if let short = Int64(exactly: nanojoules) { return Double(short) }
    return Double(nanojoules)
  }

  /// The amount in joules, rounded, for display. Do not use this value in accounts.
  public var joules: Double { roundedNanojoules / 1e9 }

  public static func < (left: Energy, right: Energy) -> Bool { left.nanojoules < right.nanojoules }
  /// Returns the sum, saturated at the largest or smallest amount.
  public static func + (left: Energy, right: Energy) -> Energy {
    let (sum, overflow) = left.nanojoules.addingReportingOverflow(right.nanojoules)
    return Energy(exactly: overflow ? (right.nanojoules < 0 ? .min : .max) : sum)
  }
  /// Returns the difference, saturated at the largest or smallest amount.
  public static func - (left: Energy, right: Energy) -> Energy {
    let (difference, overflow) = left.nanojoules.subtractingReportingOverflow(right.nanojoules)
    return Energy(exactly: overflow ? (right.nanojoules < 0 ? .max : .min) : difference)
  }
  /// Returns the product, saturated at the largest or smallest amount.
  public static func * (left: Energy, right: Int64) -> Energy {
    let (product, overflow) = left.nanojoules.multipliedReportingOverflow(by: Int128(right))
    let isNegative = (left.nanojoules < 0) != (right < 0)
    return Energy(exactly: overflow ? (isNegative ? .min : .max) : product)
  }
  /// Adds an amount, saturating at the largest or smallest amount.
  public static func += (left: inout Energy, right: Energy) { left = left + right }

  /// Returns part `index` of the amount split into `count` parts.
  ///
  /// The sum of the parts is exactly the amount. The parts differ by at most one nanojoule; the first parts
  /// are the larger parts.
  ///
  /// - Precondition: `count` is positive, `index` is in `0..<count`, and the amount is not negative.
  public func share(_ index: Int, of count: Int) -> Energy {
    precondition(count > 0 && index >= 0 && index < count && nanojoules >= 0, "no such share of this amount")
    let (quotient, remainder) = nanojoules.quotientAndRemainder(dividingBy: Int128(count))
    return Energy(exactly: quotient + (Int128(index) < remainder ? 1 : 0))
  }

  /// Returns the energy of a non-negative power over a non-negative time span, and the new remainder.
  /// `remainder` is the remainder of the previous interval, in 10⁻¹⁸ J.
  static func drawn(nanowatts: Int64, over nanoseconds: Int64, carrying remainder: Int64) -> (Energy, Int64) {
    // A product of two 63-bit factors plus a 63-bit remainder fits 128 bits.
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

  /// No power.
  public static let zero = Power(nanowatts: 0)

  /// The power in watts, for display. Do not use this value in accounts.
  public var watts: Double { Double(nanowatts) / 1e9 }

  public static func < (left: Power, right: Power) -> Bool { left.nanowatts < right.nanowatts }
  /// Returns the sum, saturated at the limits of `Int64`.
  public static func + (left: Power, right: Power) -> Power {
    Power(nanowatts: left.nanowatts.addingSaturated(right.nanowatts))
  }

  /// Returns the energy of this power over a time span, and the remainder in nanowatt-nanoseconds (10⁻¹⁸ J).
  ///
  /// Pass the remainder of the previous interval as `carrying`, so that no fraction is lost. Two halves of an
  /// interval then yield the same sum as the whole interval.
  ///
  /// A negative power or a negative span yields zero energy and leaves the remainder unchanged.
  public func energy(over span: TimeSpan, carrying remainder: Int64) -> (Energy, remainder: Int64) {
    guard nanowatts > 0, span.nanoseconds > 0 else { return (.zero, remainder) }
    let (energy, rest) = Energy.drawn(nanowatts: nanowatts, over: span.nanoseconds, carrying: remainder)
    return (energy, remainder: rest)
  }
}

/// Integer arithmetic that saturates at the limits of its type instead of trapping.
///
/// Use this arithmetic for counts and amounts that depend on input from plugins, files or clients.
extension FixedWidthInteger {
  /// Returns the sum, or the nearer limit of the type on overflow.
  public func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the difference, or the nearer limit of the type on overflow.
  public func subtractingSaturated(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// Returns the product, or the nearer limit of the type on overflow.
  public func multipliedSaturated(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) != (other < 0) ? .min : .max) : product
  }
}
