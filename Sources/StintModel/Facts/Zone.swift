public import StintUnits

/// A place that policies speak of.
public struct Zone: Hashable, Sendable {
  /// What the place is made of.
  public enum Shape: Hashable, Sendable {
    /// All positions within `radius` metres.
    case circle(Coordinate, radius: Double)
    /// Wherever this beacon is heard.
    case beacon(identity: String, major: Int?, minor: Int?)
  }

  public var shape: Shape
  /// How long one must be inside before it counts.
  public var enterAfter: TimeSpan
  /// How long one must be outside before it counts.
  public var exitAfter: TimeSpan

  /// The fact that says whether the zone's beacon is heard; nil for a circle.
  public var beaconFact: String? {
    guard case .beacon(let identity, let major, let minor) = shape else { return nil }
    return (["beacon", identity] + [major, minor].compactMap { $0.map(String.init) }).joined(separator: ".")
  }

  /// Makes a zone.
  public init(shape: Shape, enterAfter: TimeSpan = .zero, exitAfter: TimeSpan = .zero) {
    self.shape = shape
    self.enterAfter = enterAfter
    self.exitAfter = exitAfter
  }
}

/// What policies ask about a zone.
public enum ZoneQuestion: String, Hashable, Sendable, CaseIterable {
  /// Whether the phone is inside; unknown until something tells.
  case inside
  /// True for the one step in which the phone came to be inside.
  case enter
  /// True for the one step in which it came to be outside.
  case exit
  /// Whether the zone's beacon was heard lately; only for beacons.
  case heard
}
