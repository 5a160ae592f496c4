public import StintUnits

/// A low-power Bluetooth advertiser somewhere in a scenario's world.
public struct PlacedBeacon: Hashable, Sendable {
  public var identity: String
  public var major: Int
  public var minor: Int
  public var place: Coordinate
  /// How far it can be heard, in metres.
  public var range: Double

  /// Puts a beacon somewhere.
  public init(identity: String, major: Int, minor: Int, place: Coordinate, range: Double = 30) {
    self.identity = identity
    self.major = major
    self.minor = minor
    self.place = place
    self.range = range
  }

  /// The facts that say whether it is heard, from all of its kind to this one, as `Zone.beaconFact` spells them.
  public var facts: [String] {
    ["beacon.\(identity)", "beacon.\(identity).\(major)", "beacon.\(identity).\(major).\(minor)"]
  }
}
