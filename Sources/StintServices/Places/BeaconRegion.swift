import StintModel
public import StintUnits

/// All beacons of one identity, or those of them with one major and perhaps one minor number.
public struct BeaconRegion: Hashable, Sendable {
  /// What the client calls it; unique among those of one request.
  public var name: String
  public var identity: String
  public var major: Int?
  public var minor: Int?
  /// How long it must be silent before it counts as left.
  public var exitAfter: TimeSpan

  /// Makes a region.
  public init(
    _ name: String, identity: String, major: Int? = nil, minor: Int? = nil,
    exitAfter: TimeSpan = .seconds(30)
  ) {
    self.name = name
    self.identity = identity
    self.major = major
    self.minor = minor
    self.exitAfter = exitAfter
  }

  /// The fact that says whether any of them is heard, as zones of policies spell it.
  public var fact: String {
    Zone(shape: .beacon(identity: identity, major: major, minor: minor)).beaconFact ?? ""
  }

  /// What is wrong with it; nil when nothing is.
  var objection: ServiceFailure? {
    for number in [major, minor].compactMap(\.self) where !(0...65_535).contains(number) {
      return ServiceFailure(.invalid, "a beacon's numbers go from 0 to 65535, and \(number) is none of them")
    }
    if minor != nil, major == nil {
      return ServiceFailure(.invalid, "“\(name)” has a minor number without a major one; add that")
    }
    if exitAfter < .zero { return ServiceFailure(.invalid, "“\(name)” is left before it falls silent") }
    return nil
  }
}
