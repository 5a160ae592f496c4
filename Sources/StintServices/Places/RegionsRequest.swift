import StintUnits

/// Asks for notices when the phone enters and leaves circles on the map, in any number.
public struct RegionsRequest: ServiceRequest {
  public var regions: [Region]

  /// Watches these.
  public init(_ regions: [Region]) { self.regions = regions }

  public var objection: ServiceFailure? {
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
