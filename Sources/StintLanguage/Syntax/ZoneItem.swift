/// `zone home = circle 48.1 11.5 radius 150 m exit_after 2 min`.
public struct ZoneItem: Hashable, Sendable {
  /// What the zone is made of.
  public enum Shape: Hashable, Sendable {
    /// Latitude and longitude in degrees, and how far from there.
    case circle(latitude: NumberLiteral, longitude: NumberLiteral, radius: QuantityLiteral)
    /// Wherever a beacon is heard.
    case beacon(StringLiteral, major: NumberLiteral?, minor: NumberLiteral?)
    /// Neither; that has been reported.
    case missing
  }

  public var name: Name
  public var shape: Shape
  /// How long one must be inside before it counts.
  public var enterAfter: QuantityLiteral?
  /// How long one must be outside before it counts.
  public var exitAfter: QuantityLiteral?
  public var span: SourceSpan
}
