public import StintUnits

/// Asks for notices when the phone enters and leaves circles on the map, in any number.
public struct RegionsRequest: ServiceRequest {
  public var regions: [Region]

  /// Watches these.
  public init(_ regions: [Region]) { self.regions = regions }

  public var rejectionReason: ServiceFailure? {
    if regions.isEmpty { return ServiceFailure(.invalid, "no region is named; name at least one") }
    for (place, region) in regions.enumerated() {
      guard region.radius.isFinite, region.radius >= 1 else {
        return ServiceFailure(.invalid, "“\(region.name)” is less than a metre wide; make it wider")
      }
      guard region.enterAfter >= .zero, region.exitAfter >= .zero else {
        return ServiceFailure(.invalid, "“\(region.name)” waits less than no time; delays are 0 s or more")
      }
      if regions[..<place].contains(where: { $0.name == region.name }) {
        return ServiceFailure(.invalid, "two regions are called “\(region.name)”; rename one")
      }
    }
    return nil
  }

  public func makeService() -> any Service { RegionsService(regions) }
}

/// A circle on the map that a client wants watched.
public struct Region: Hashable, Sendable {
  /// What the client calls it; unique among those of one request.
  public var name: String
  public var centre: Coordinate
  /// Metres.
  public var radius: Double
  /// How long one must be inside before it counts.
  public var enterAfter: TimeSpan
  /// How long one must be outside before it counts.
  public var exitAfter: TimeSpan

  /// Makes a region.
  public init(
    _ name: String, centre: Coordinate, radius: Double, enterAfter: TimeSpan = .seconds(20),
    exitAfter: TimeSpan = .seconds(60)
  ) {
    self.name = name
    self.centre = centre
    self.radius = radius
    self.enterAfter = enterAfter
    self.exitAfter = exitAfter
  }
}

/// What the watch on regions tells: that a line was crossed, not where.
public enum RegionNotice: ServiceNotice, Hashable {
  /// Where it stands when first known; neither a coming nor a going.
  case known(region: String, isInside: Bool)
  case entered(String)
  case exited(String)
}
