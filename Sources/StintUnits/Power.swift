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
