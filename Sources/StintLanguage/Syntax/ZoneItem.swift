/// A zone: `zone home = circle 48.1 11.5 radius 150 m exit_after 2 min`.
public struct ZoneItem: Hashable, Sendable {
  /// The area of a zone.
  public enum Shape: Hashable, Sendable {
    /// Latitude and longitude of the centre in degrees, and the radius.
    case circle(latitude: NumberLiteral, longitude: NumberLiteral, radius: QuantityLiteral)
    /// The range of a beacon.
    case beacon(StringLiteral, major: NumberLiteral?, minor: NumberLiteral?)
    /// An area with a syntax error, which has been reported.
    case missing
  }

  /// The declared name.
  public var name: Name
  /// The area of the zone.
  public var shape: Shape
  /// How long the host must be inside before the zone is entered; nil means at once.
  public var enterAfter: QuantityLiteral?
  /// How long the host must be outside before the zone is left. Nil means at once for a circle, and 30 s for
  /// a beacon.
  public var exitAfter: QuantityLiteral?
  /// The range in the source.
  public var span: SourceSpan
}
