/// An amount of energy in whole nanojoules: the only money there is.
public struct Energy: Hashable, Comparable, Sendable {
  /// The amount in nanojoules.
  public var nanojoules: Int64

  /// Makes an amount of whole nanojoules.
  public init(nanojoules: Int64) { self.nanojoules = nanojoules }

  /// Makes an amount from joules, rounded to the nearest nanojoule; nil when not finite or out of range.
  public init?(joules: Double) {
    guard let exact = Int64(exactly: (joules * 1e9).rounded()) else { return nil }
    self.nanojoules = exact
  }

  public static let zero = Energy(nanojoules: 0)

  /// The amount in joules, for people; never for booking.
  public var joules: Double { Double(nanojoules) / 1e9 }

  public static func < (left: Energy, right: Energy) -> Bool { left.nanojoules < right.nanojoules }
  public static func + (left: Energy, right: Energy) -> Energy {
    Energy(nanojoules: left.nanojoules + right.nanojoules)
  }
  public static func - (left: Energy, right: Energy) -> Energy {
    Energy(nanojoules: left.nanojoules - right.nanojoules)
  }
  public static func * (left: Energy, right: Int64) -> Energy { Energy(nanojoules: left.nanojoules * right) }
  public static func += (left: inout Energy, right: Energy) { left.nanojoules += right.nanojoules }

  /// Splits the amount into `count` parts that differ by at most one nanojoule and add up exactly; the first
  /// parts
  /// take the remainder.
  ///
  /// - Precondition: `count` is positive and the amount is not negative.
  public func share(_ index: Int, of count: Int) -> Energy {
    precondition(count > 0 && index >= 0 && index < count && nanojoules >= 0, "a share of nothing")
    let (quotient, remainder) = nanojoules.quotientAndRemainder(dividingBy: Int64(count))
    return Energy(nanojoules: quotient + (Int64(index) < remainder ? 1 : 0))
  }
}
