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
